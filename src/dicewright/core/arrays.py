"""Names for arrays of numbers; they load no numpy, so that a command which needs none starts without it."""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]
    Ints: TypeAlias = npt.NDArray[np.int64]
else:
    Floats = Ints = Any
