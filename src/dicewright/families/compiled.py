"""Kernels are compiled when they are first called: who only imports them does not even load the compiler."""

from threading import RLock
from types import FunctionType
from typing import Any

_one_at_a_time = RLock()


class Kernel:
    """A function of arrays; numba keeps on disk what it makes of it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.function, self.options, self.__doc__ = function, options, function.__doc__
        self.compiled: Any = None  # until it is first called

    def __call__(self, *arguments: Any) -> Any:
        return (self.compiled or self.compile())(*arguments)

    def compile(self) -> Any:
        """The function as numba takes it, over the kernels that it calls itself."""
        from numba import njit

        named = self.function.__globals__
        with _one_at_a_time:
            called = {
                name: one
                for name in self.function.__code__.co_names
                if isinstance(one := named.get(name), Kernel)
            }
            over = {name: one.compiled or one.compile() for name, one in called.items()}
            self.compiled = self.compiled or njit(**self.options)(
                FunctionType(self.function.__code__, named | over)
            )
        return self.compiled


def njit(**options: Any) -> Any:
    """As numba's, but later."""
    return lambda function: Kernel(function, options)
