"""The command line: one file per command, no numerics, and nothing heavy imported at start."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

from isolex import __version__
from isolex.cli import (
    add,
    apply,
    bench,
    convert,
    demo,
    evaluate,
    explore,
    fetch,
    lexicon,
    map,  # noqa: A004
    systems,
    train,
    translate,
)
from isolex.cli.console import say
from isolex.cli.help import epilog
from isolex.cli.interrupt import EXIT_INTERRUPTED, EXIT_TERMINATED, interrupt
from isolex.errors import IsolexError

EXIT_USAGE, EXIT_UNEXPECTED = 2, 70
SIGNALS = {EXIT_INTERRUPTED: "interrupted", EXIT_TERMINATED: "terminated"}

app = typer.Typer(
    name="isolex",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Align word embeddings of different languages without a dictionary.",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=epilog(
        "isolex demo",
        "isolex map en.vec es.vec --out en-es",
        "isolex translate en-es dog house",
        "isolex evaluate lexicon en-es gold.txt",
        exit_codes=True,
    ),
)
app.command("map", epilog=map.EPILOG)(map.run)
app.command("add", epilog=add.EPILOG)(add.run)
app.command("translate", epilog=translate.EPILOG)(translate.run)
app.command("lexicon", epilog=lexicon.EPILOG)(lexicon.run)
app.command("apply", epilog=apply.EPILOG)(apply.run)
app.add_typer(evaluate.app, name="evaluate")
app.command("explore", epilog=explore.EPILOG)(explore.run)
app.command("systems", epilog=systems.EPILOG)(systems.run)
app.command("bench", epilog=bench.EPILOG)(bench.run)
app.command("convert", epilog=convert.EPILOG)(convert.run)
app.command("train", epilog=train.EPILOG)(train.run)
app.add_typer(fetch.app, name="fetch")
app.command("demo", epilog=demo.EPILOG)(demo.run)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"isolex {__version__}")
        raise typer.Exit


@app.callback()
def isolex(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")
    ] = False,
) -> None:
    """Align word embeddings of different languages without a dictionary."""


def main() -> None:
    """Run the command line: one line and an exit code for everything that goes wrong."""
    interrupt.install()
    logging.basicConfig(format="isolex: %(message)s", level=logging.WARNING)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # bytes that are not UTF-8 pass through unchanged
            stream.reconfigure(errors="surrogateescape")
    sys.exit(_run())


def _run() -> int:
    try:
        code: int = app(prog_name="isolex", standalone_mode=False) or 0
        return _signalled(code)
    except IsolexError as error:
        say(str(error))
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except SystemExit as ended:
        if ended.code != EXIT_TERMINATED:
            raise
        return _signalled(EXIT_TERMINATED)
    except OSError as error:
        say(f"{error.filename or 'output'}: {error.strerror or error}")
        return EXIT_USAGE
    except Exception as error:
        return _usage(error) if hasattr(error, "format_message") else _unexpected(error)


def _usage(error: Exception) -> int:
    """Print a usage error of the parser in one line."""
    message = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message(), err=True)  # type: ignore[attr-defined]
        return EXIT_USAGE
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "isolex"
    say(f"{message.rstrip('.')}{'' if message.endswith('?') else '.'} See `{command} --help`.")
    return EXIT_USAGE


def _unexpected(error: Exception) -> int:
    """Print an unexpected error in one line, or with its traceback if --debug was given."""
    if "--debug" in sys.argv:
        from traceback import print_exception

        print_exception(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    advice = "please report it to the isolex authors with the output of `isolex --debug ...`"
    say(f"unexpected error: {what}; {advice}")
    return EXIT_UNEXPECTED


def _signalled(code: int) -> int:
    """Say so if a signal ended the command."""
    if code in SIGNALS:
        say(": ".join(filter(None, (SIGNALS[code], interrupt.advice()))))
    return code
