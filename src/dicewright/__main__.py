"""The command `dicewright`, which is also `python -m dicewright`: first of all, Ctrl-C needs no traceback.

Until the command line can answer an interrupt itself, it simply ends the process, as the system does.
"""

# The builtin part: signal itself loads enum, and an interrupt could meet that.
import _signal as signal  # type: ignore[import-not-found]

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the parent ignores interrupts
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> None:
    """Run the command line."""
    from .cli import main as run

    run()


if __name__ == "__main__":
    main()
