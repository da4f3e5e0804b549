"""Ctrl-C in commands as a person types them: at any moment it ends them quietly."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

TRIES = 3
"""So often Ctrl-C is pressed at a moment of a program that may be faster than the signal."""


def test_ctrl_c_stops_a_simulation_with_what_it_has() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "simulate", "--games", "1000000", "--seed", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        start_new_session=True,
    )
    time.sleep(3)
    os.killpg(process.pid, signal.SIGINT)
    try:
        output, errors = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:  # else it would go on beside all tests that follow
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode == 130
    assert re.search(r"^[1-9]\d* games, mode betsy", output, re.MULTILINE)
    assert "Traceback" not in errors
    assert "of 1000000 games" in errors


def imported(*arguments: str) -> tuple[list[str], int]:
    """What a command imports, in this order, and its exit status where nobody disturbs it."""
    command = [sys.executable, "-X", "importtime", "-m", "companion", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = run.stderr.splitlines()[1:]
    return [line.rsplit("|", 1)[1].strip() for line in lines if line.startswith("import time:")], run.returncode


def interrupted_after(modules: int, *arguments: str, seconds: float = 0.0) -> tuple[int, tuple[str, ...]]:
    """The exit status and what is told where Ctrl-C is pressed so long after so many modules have been imported."""
    command = [sys.executable, "-X", "importtime", "-m", "companion", *arguments]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as run:
        assert run.stderr is not None
        for _ in range(modules + 1):  # the first line is a heading
            run.stderr.readline()
        time.sleep(seconds)
        os.killpg(run.pid, signal.SIGINT)
        try:
            run.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            raise
        told = run.stderr.read()  # with what was read ahead, which communicate() would leave out
    return run.returncode, tuple(line for line in told.splitlines() if line and "|" not in line)


@pytest.mark.parametrize(
    "arguments",
    [
        "play",
        pytest.param("odds --railway 1,2 --emma 1 --lay 2", marks=pytest.mark.further),
        pytest.param("doctor", marks=pytest.mark.further),
        "--help",
    ],
)
def test_ctrl_c_while_a_command_starts_ends_it_as_later(arguments: str) -> None:
    names, status = imported(*arguments.split())
    # Our first line comes after the package; from the last imports on the program may be faster than the signal.
    moments = range(names.index("companion") + 2, len(names) - 10, max(1, len(names) // 25))
    assert len(moments) > 3
    too_late = 0
    for modules in moments:
        # On a busy machine the signal may come when the program has done all, or is about to leave.
        for _ in range(TRIES):
            ended = interrupted_after(modules, *arguments.split())
            is_too_late = modules > len(names) // 2 and ended in {(status, ()), (-signal.SIGINT, ())}
            if not is_too_late:
                break
        assert is_too_late or ended == (130, ("Stopped.",)), names[modules - 1]
        too_late += is_too_late
    assert 2 * too_late < len(moments)


def test_ctrl_c_while_a_simulation_begins_its_processes_ends_all_of_them_quietly() -> None:
    arguments = ("simulate", "--games", "1000000", "--processes", "2")
    names, _ = imported(*arguments[:1], "--games", "1")
    before_the_first = names.index("multiprocessing.popen_fork") + 1
    for milliseconds in range(0, 30, 2):
        status, told = interrupted_after(before_the_first, *arguments, seconds=milliseconds / 1000)
        assert status == 130
        assert re.fullmatch(r"Stopped( after \d+ of 1000000 games)?\.", " ".join(told).strip()), milliseconds


def children(process: int) -> list[int]:
    """Those that a process has begun, and that still run."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text("ascii").split()]


def test_ctrl_c_while_our_deck_is_drawn_ends_that_too_quietly(tmp_path: Path) -> None:
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((400, 600, 3), 90, np.uint8))
    command = [sys.executable, "-m", "companion", "see", str(picture)]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    for seconds in (0.05, 0.15, 0.2, 0.25):
        with subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
        ) as run:
            while not (drawing := children(run.pid)):
                assert run.poll() is None
            time.sleep(seconds)
            os.killpg(run.pid, signal.SIGINT)
            _, told = run.communicate(timeout=30)
        assert (run.returncode, told) == (130, "Stopped.\n"), seconds
        assert not any(Path(f"/proc/{child}").exists() for child in drawing)


LEFT_AT_WORK = """
import sys, threading, time
import companion.__main__, companion.commands.cli as cli
import cv2, numpy

def work():
    picture = numpy.zeros((600, 800), numpy.uint8)
    while True:
        cv2.GaussianBlur(picture, (5, 5), 1)

def command(_words=None):
    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.3)
    print("well", flush=False)
    return 3

cli.main = command
sys.exit(companion.__main__.main())
"""


def test_a_thread_that_still_looks_at_a_picture_does_not_abort_the_program() -> None:
    command = [sys.executable, "-c", LEFT_AT_WORK]
    for _ in range(TRIES):
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr) == (3, "well\n", "")
