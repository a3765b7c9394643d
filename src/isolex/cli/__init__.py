"""The command line: one file per command, no numerics; nothing heavy is imported to start."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

from isolex import __version__
from isolex.cli import (
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
from isolex.cli.interrupt import EXIT_INTERRUPTED, EXIT_TERMINATED, interrupt
from isolex.cli.manual import examples, lay_out, plain
from isolex.errors import IsolexError

EXIT_USAGE = 2
ENDED = {EXIT_INTERRUPTED: "interrupted", EXIT_TERMINATED: "terminated"}

app = typer.Typer(
    name="isolex",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Align word embeddings of two languages without a dictionary, and make one from that.",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "isolex demo",
        "isolex map en.vec es.vec --out en-es",
        "isolex translate en-es dog house",
        "isolex evaluate lexicon en-es gold.txt",
    ),
)
app.command("map")(map.run)
app.command("translate")(translate.run)
app.command("lexicon")(lexicon.run)
app.command("apply")(apply.run)
app.add_typer(evaluate.app, name="evaluate")
app.command("explore")(explore.run)
app.command("systems")(systems.run)
app.command("bench")(bench.run)
app.command("convert")(convert.run)
app.command("train")(train.run)
app.add_typer(fetch.app, name="fetch")
app.command("demo")(demo.run)
lay_out(app)  # after all of them


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
) -> None:
    """Align word embeddings of two languages without a dictionary, and make one from that."""


def main() -> None:
    """Run the command line: exit code 2 and one line for what cannot be done."""
    interrupt.install()
    logging.basicConfig(format="isolex: %(message)s", level=logging.WARNING)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # bytes that are not UTF-8 pass through unchanged
            stream.reconfigure(errors="surrogateescape")
    sys.exit(_run())


def _run() -> int:
    try:
        code: int = app(prog_name="isolex", standalone_mode=False) or 0
        return _ended(code)
    except IsolexError as error:
        say(str(error))
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except SystemExit as ended:
        if ended.code != EXIT_TERMINATED:
            raise
        return _ended(EXIT_TERMINATED)
    except OSError as error:
        say(f"{error.filename or 'output'}: {error.strerror or error}")
        return EXIT_USAGE
    except Exception as error:
        if not hasattr(error, "format_message"):  # not one of the parser's usage errors
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message(), err=True)
            return EXIT_USAGE
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "isolex"
        message = plain(error.format_message())
        say(f"{message}{'' if message.endswith('?') else '.'} See `{command} --help`.")
        return EXIT_USAGE


def _ended(code: int) -> int:
    """Say so where a command was ended by a signal."""
    if code in ENDED:
        say(": ".join(filter(None, (ENDED[code], interrupt.advice()))))
    return code
