"""The commands, a file for each group; importing this adds them all to the app."""

from . import analyse as analyse
from . import arena as arena
from . import charts as charts
from . import decisions as decisions
from . import drill as drill
from . import engine as engine
from . import export as export
from . import games as games
from . import grade as grade
from . import me as me
from . import play as play
from . import reproduce as reproduce
from . import schema as schema
from . import serve as serve
from . import store as store
from . import strategy as strategy
from . import study as study
from . import study_held as study_held
from . import sweep as sweep
from . import tournament as tournament
from . import train as train
from . import values as values
