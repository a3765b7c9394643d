"""Commands warn about the languages that they use, and about nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from isolex import Space
from isolex.cli.verdicts import describe_pairs, warn, warn_of_pairs
from isolex.core.choices import Outcome
from isolex.core.verdict import MEANINGS
from tests.cli.conftest import Run
from tests.wording import Wording


@pytest.fixture
def two(eu: Space) -> Space:
    """English and Romanian, which failed."""
    return replace(
        eu,
        languages=(eu["en"], eu["ro"]),
        pairs={("en", "ro"): eu.about("en", "ro")},
    )


@pytest.mark.parametrize("names", [("en", "de"), ("de", "en"), ("en",), ("en", "en")])
def test_aligned_languages_need_no_warning(
    eu: Space, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    warn(Path("eu"), eu, *names)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("names", [("pl", "de"), ("en", "pl"), ("en", "ro"), ("ro",)])
def test_a_warning_names_the_languages_and_the_one_that_is_apart(
    eu: Space, names: tuple[str, ...], capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    warn(Path("eu"), eu, *names)
    err = capsys.readouterr().err
    assert err.startswith(f"isolex: eu: the verdict on {'-'.join(names)} is ")
    assert ("ro is not connected" in err) == ("ro" in names)
    assert err.count("\n") == 1
    wording(err)


@pytest.mark.parametrize("names", [("en", "ro"), ("ro", "en"), ("ro",)])
def test_the_warning_about_two_languages_is_about_the_run(
    two: Space, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    warn(Path("two"), two, *names)
    warn_of_pairs(Path("two"), two, [("ro", "en")])
    line = f"isolex: two: the verdict is failed. {MEANINGS[Outcome.FAILED]}".removesuffix(".")
    assert capsys.readouterr().err == f"{line}\n" * 2


def test_a_space_without_verdicts_gets_no_warning(
    eu: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    mapped = replace(eu, pairs={})
    warn(None, mapped, "en", "ro")
    warn_of_pairs(None, mapped, [("en", "ro")])
    assert capsys.readouterr().err == ""


def test_warnings_about_many_pairs_are_gathered(
    eu: Space, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    warn_of_pairs(Path("eu"), eu, eu.pairs)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "isolex: eu: ro is not connected with the other languages"
    assert "2 of 6 pairs are doubtful: en-pl, de-pl." in lines[1]
    assert "3 of 6 pairs failed: en-ro, de-ro, pl-ro." in lines[2]
    wording("\n".join(lines))


def test_only_the_pairs_that_are_used_are_counted(
    eu: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    warn_of_pairs(Path("eu"), eu, [("en", "de"), ("pl", "de"), ("de", "pl")])
    [line] = capsys.readouterr().err.splitlines()
    assert "1 of 2 pairs is doubtful: de-pl." in line


def test_long_lists_of_pairs_are_cut() -> None:
    [line] = describe_pairs({f"a-{number}": Outcome.FAILED for number in range(30)})
    assert "30 of 30 pairs failed: a-0, " in line
    assert "a-7 and 22 more. " in line


@pytest.mark.usefixtures("eu")
@pytest.mark.parametrize(
    ("arguments", "warned"),
    [
        (("translate", "eu", "en1", "--to", "de"), ""),
        (("translate", "eu", "en1", "--to", "de", "--reverse"), "is not in the vocabulary"),
        (("translate", "eu", "pl1", "--from", "ro", "--to", "en", "--reverse"), "on en-ro is"),
        (("lexicon", "eu", "--from", "pl", "--to", "de", "--out", "-"), "on pl-de is doubtful"),
        (("evaluate", "lexicon", "eu", "de-pl.txt", "--from", "de", "--to", "pl"), "on de-pl"),
        (("evaluate", "similarity", "eu", "ro.txt", "--from", "ro", "--to", "ro"), "on ro is"),
        (("evaluate", "analogy", "eu", "four.txt", "--language", "ro"), "on ro is failed"),
        (("apply", "eu", "x.vec", "--language", "ro", "--out", "y.vec"), "on ro is failed"),
    ],
)
def test_every_command_warns_of_what_it_uses(
    run: Run, home: Path, arguments: tuple[str, ...], warned: str
) -> None:
    (home / "de-pl.txt").write_text("de1 pl1\n")
    (home / "ro.txt").write_text("ro1 ro2 1\nro3 ro4 2\nro5 ro6 1.5\n")
    (home / "four.txt").write_text(": one\nro1 ro2 ro3 ro4\n")
    (home / "x.vec").write_text("new 1 2 3 4 5 6 7 8 9 10\n")
    err = run(*arguments).stderr
    assert (warned in err) if warned else (err == "")
    assert err.count("the verdict") == warned.startswith("on ")


@pytest.mark.usefixtures("eu")
@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("translate", "eu", "en1", "--to", "ron"), ["'ron'", "did you mean 'ro'?"]),
        (("translate", "eu", "x", "--from", "x"), ["'x'", "en, de, pl, ro"]),
        (("lexicon", "eu", "--from", "ro", "--to", "ro", "--out", "-"), ["both 'ro'"]),
        (("translate", "eu", "pl1", "--to", "de"), ["'pl1'", "of en", "use --from pl"]),
    ],
)
def test_a_mistake_is_reported_in_one_line(
    run: Run, arguments: tuple[str, ...], facts: list[str], wording: Wording
) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert all(fact in done.stderr for fact in facts)
    assert done.stderr.count("\n") == 1
    wording(done.stderr)
