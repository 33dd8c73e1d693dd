"""The commands, a file for each group; importing this adds them all to the app."""

from . import analyse as analyse
from . import arena as arena
from . import dice as dice
from . import games as games
from . import hands as hands
from . import play as play
from . import plot as plot
from . import reproduce as reproduce
from . import serve as serve
from . import tournament as tournament
