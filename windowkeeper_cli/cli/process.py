"""How the process ends: every outcome of a command as an exit code, every error as one line."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from windowkeeper_cli.cli.exit_codes import FAULT, INTERRUPTED, OK, PIPE_CLOSED, WRONG
from windowkeeper_cli.model.errors import WindowkeeperError

ASKED = "_WINDOWKEEPER_COMPLETE"
"""The variable by which a shell's script asks: it names the shell; the arguments are the words up to the cursor."""


def run(args: list[str]) -> int:
    """Run the command line with `args` and return the process's exit code; never raises."""
    try:
        code = _front(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return PIPE_CLOSED
    except SystemExit:
        # The command-line library leaves only so: it met a closed pipe, and would end with 1.
        _forget_stdout()
        return PIPE_CLOSED
    except WindowkeeperError as error:
        _traceback(args)
        _complain(str(error))
        return error.exit_code
    except OSError as error:
        _traceback(args)
        name = f"{error.filename}: " if isinstance(error.filename, str) else ""
        _complain(f"{name}{error.strerror or error}; check the path, its permissions and the disk")
        return WRONG
    except MemoryError as error:
        _complain(f"{_at(error)}out of memory; the input is too large for this machine")
        return WRONG
    except Exception as error:
        return _library_error(args, error)


def leave(code: int) -> NoReturn:
    """End the process with `code`; nothing is taken down, which on a large log takes as long as a start.

    Under a tracer or a profiler it ends the long way, so that they can write what they saw.
    """
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(code)


def _front(args: list[str]) -> int:
    shell = os.environ.get(ASKED)
    if shell is not None:
        return _completed(shell, args)
    if args in (["--help"], ["-h"], []):
        from windowkeeper_cli.cli.front_page import front_page

        out = sys.stdout if args else sys.stderr
        if out is not None:
            out.write(front_page())
        return OK if args else WRONG
    from windowkeeper_cli.cli.application import application

    result = application().main(args, prog_name="windowkeeper", standalone_mode=False)
    return result if isinstance(result, int) else OK


def _completed(shell: str, args: list[str]) -> int:
    """Write what the last of the words `args` may become, as the script of `shell` reads it."""
    from windowkeeper_cli.cli.completion import SHELLS
    from windowkeeper_cli.cli.completion.answer import answer

    module = SHELLS.module(shell)
    given = args or [""]
    found = module.reply(answer(module.words(given)), given)
    if sys.stdout is not None:
        sys.stdout.write("".join(f"{line}\n" for line in found))
    return OK


def _library_error(args: list[str], error: Exception) -> int:
    """Return the code of an error of the command-line library, or of a fault of ours."""
    typer = sys.modules.get("typer")
    if typer is not None and isinstance(error, typer.Abort):
        return INTERRUPTED
    if hasattr(error, "format_message"):
        _traceback(args)
        _complain(_usage_words(error))
        return WRONG
    _traceback(args)
    again = "report" if "--debug" in args else "run it again with --debug and report"
    _complain(
        f"{_at(error)}a fault of windowkeeper's own: {type(error).__name__}: {error}; please {again} "
        "the traceback, the version and the command"
    )
    return FAULT


def _at(error: BaseException) -> str:
    """Return the files that a fault was met at, as a message begins with them."""
    return "".join(f"{note}: " for note in getattr(error, "__notes__", ()))


def _usage_words(error: object) -> str:
    """Return a usage error of the library as one line that ends with where to look."""
    text = str(error.format_message()).strip().rstrip(".")  # type: ignore[attr-defined]
    text = text[:1].lower() + text[1:]
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "windowkeeper"
    return f"{' '.join(text.split())}; see {path} --help"


def _complain(text: str) -> None:
    """Write one line for each line of `text` to standard error, its content escaped."""
    from windowkeeper_cli.cli.stderr import complain

    for line in text.split("\n"):
        complain(line)


def _traceback(args: list[str]) -> None:
    if "--debug" in args and sys.stderr is not None:
        import traceback

        traceback.print_exc(file=sys.stderr)


def _forget_stdout() -> None:
    """Point standard output at nothing, so that closing it at exit says nothing."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass
