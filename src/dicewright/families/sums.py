"""Chances from which places are drawn by inversion."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def cumulative(chances: Floats) -> Floats:
    """Cumulative chances along the last axis; from the last possible place on they are above any random number."""
    sums = np.cumsum(chances, axis=-1)
    later = np.cumsum(chances[..., ::-1], axis=-1)[..., ::-1]
    sums[later - chances <= 0.0] = 2.0
    return sums
