"""Kernels are compiled when they are first called: who only imports them does not even load the compiler."""

from math import inf
from threading import RLock
from types import FunctionType
from typing import Any

PATIENT = 0.5  # seconds without a kernel, until it is compiled for seconds or loaded in a moment
_one_at_a_time = RLock()


class Kernel:
    """A function of arrays; numba keeps on disk what it makes of it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.function, self.options, self.__doc__ = function, options, function.__doc__
        self.compiled: Any = None  # until it is first called
        self.spent = 0.0  # seconds, on doing without it

    def __call__(self, *arguments: Any) -> Any:
        return (self.compiled or self.compile())(*arguments)

    def pays(self, seconds: float) -> bool:
        """Whether it is there, or so much was done without it by now, after so long again, that it shall be."""
        self.spent += seconds
        return self.compiled is not None or self.spent > PATIENT

    def prefer(self) -> None:
        """Do nothing without it from now on."""
        self.spent = inf

    def compile(self) -> Any:
        """The function as numba takes it."""
        from numba import njit

        with _one_at_a_time:
            self.compiled = self.compiled or njit(**self.options)(self._over(Kernel._ready))
        return self.compiled

    def plain(self, *arguments: Any) -> Any:
        """The same by Python alone: right for a few steps."""
        return self._plain()(*arguments)

    def _ready(self) -> Any:
        return self.compiled or self.compile()

    def _plain(self) -> Any:
        return self._over(Kernel._plain)

    def _over(self, form: Any) -> Any:
        """The function over this form of the kernels that it calls."""
        code, named = self.function.__code__, self.function.__globals__
        called = {name: form(one) for name in code.co_names if isinstance(one := named.get(name), Kernel)}
        return FunctionType(code, named | called)


def njit(**options: Any) -> Any:
    """As numba's, but later."""
    return lambda function: Kernel(function, options)
