"""Say what differs from what was caught, or catch it anew: python -m tests.net [--record] [WORDS IN NAMES...]"""

import sys
import tempfile
from pathlib import Path

from .catch import SOLVER, catches, home
from .compare import difference, solver

wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
different = 0
if wanted and not any(word in name for name in catches() for word in wanted):
    sys.exit(f"no part has {' or '.join(wanted)} in its name; there are {', '.join(catches())}")
for name, catch in catches().items():
    if wanted and not any(word in name for word in wanted):
        continue
    with tempfile.TemporaryDirectory() as folder:
        text = catch(Path(folder).resolve())
    place = home(name)
    found = difference(place.read_text(encoding="utf-8") if place.exists() else "", text)
    if found is None:
        continue
    different += 1
    print(f"{name}:\n{found}", flush=True)
    if "--record" in sys.argv:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
if "--record" in sys.argv:
    SOLVER.write_text(f"{solver()}\n", encoding="utf-8")
sys.exit(0 if "--record" in sys.argv else min(different, 1))
