"""How the documentation is built: `make docs`. Pages that code knows best are made here before Sphinx reads them."""

import sys
from pathlib import Path

import dicewright

sys.path.insert(0, str(Path(__file__).parent))
from made import make

project = "dicewright"
project_copyright = author = "The dicewright founders"
release = version = dicewright.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.githubpages"]
exclude_patterns = ["_build", "circle", "sweeps", "values"]
html_theme = "furo"
html_title = f"dicewright {release}"
html_static_path, html_css_files = ["_static"], ["outputs.css"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# A tutorial that fails fails the build; what was executed is not executed again until its page changes.
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
autodoc_typehints = "none"  # editors know them from __init__.pyi; written out they hide the names
autodoc_member_order = "bysource"
# Words of docstrings are plain text with single backticks, and fields of records need no page of their own.
default_role = "code"
suppress_warnings = ["autodoc", "docutils", "misc.highlighting_failure", "mystnb.unknown_mime_type"]

make(whole=tags.has("whole"))  # noqa: F821 (Sphinx gives tags)
