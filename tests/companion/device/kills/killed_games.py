"""The whole program in a child process that is killed at any moment, and people who go on after each restart.

The program is ``Session`` with its loop, record, notes, settings and scores; its devices are virtual, its clock is the
people's. What lies on the table, and what has been shown, outlives it in shared memory.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import threading
import time
import traceback
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.device.between_games.lobby import Lobby
from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.games.events import Effect, Event, Pressed, Seen, Show
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.notes import NotesFile
from companion.games.loknroll.play.recorded_play import RecordedPlay
from companion.games.loknroll.record.recorded_game import recorded_start, replay
from companion.games.loknroll.record.solo_scores import SoloScores
from companion.games.loknroll.rules import AnyStep, Game, Mode, Phase, result
from companion.games.registry import games
from companion.games.settings import Settings
from companion.record.file import RecordError, RecordWriter, read_record
from hardware.buttons import Button, VirtualButtons
from hardware.camera import EndOfPictures, Picture, VirtualCamera
from hardware.devices import Devices
from hardware.display import VirtualDisplay
from hardware.lights import VirtualLights
from tests.companion.games.loknroll.play.scripted_table import Fate, Player, TableTop

NAMES = ("Ann", "Ben", "Cleo", "Dan")
SLOT_BYTES = 1 << 18
LONGEST_WAIT_SECONDS = 0.4
MOST_WRITES = 8


class Kill(NamedTuple):
    """When a process dies: after some ``seconds``, or with its ``count``-th ``write``, ``sync`` or ``rename``.

    A write is cut after a ``share`` of its bytes; a sync or a rename is done (1) or not (0).
    """

    kind: str
    seconds: float = 0.0
    count: int = 0
    share: float = 0.0

    @classmethod
    def drawn(cls, random: Random) -> Kill:
        """One of any kind; at any time in two of five cases."""
        kind = random.choice(("time", "time", "write", "sync", "rename"))
        if kind == "time":
            return cls(kind, seconds=random.uniform(0, LONGEST_WAIT_SECONDS))
        share = random.random() if kind == "write" else float(random.randrange(2))
        return cls(kind, count=random.randint(1, MOST_WRITES if kind != "rename" else 2), share=share)


class Shared:
    """An object that a killed process has left behind: the last one that was put whole."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 1 + 2 * SLOT_BYTES)

    def put(self, told: object) -> None:
        """Keeps an object: the byte that says which slot counts is written last."""
        slot = 1 - self._memory[0]
        data = pickle.dumps(told)
        assert len(data) < SLOT_BYTES - 4
        at = 1 + slot * SLOT_BYTES
        self._memory[at : at + 4 + len(data)] = len(data).to_bytes(4, "big") + data
        self._memory[0] = slot

    def get(self) -> Any:
        at = 1 + self._memory[0] * SLOT_BYTES
        size = int.from_bytes(self._memory[at : at + 4], "big")
        return pickle.loads(self._memory[at + 4 : at + 4 + size]) if size else None  # noqa: S301 - our own


class World:
    """What does not die with the program: the table, and how many steps people have seen on the screen."""

    def __init__(self) -> None:
        self._table, self._shown = Shared(), Shared()

    def keep_table(self, table: TableTop) -> None:
        self._table.put(vars(table))

    def give_table(self, table: TableTop) -> None:
        vars(table).update(self._table.get() or {})

    def keep_shown(self, steps: list[int]) -> None:
        self._shown.put(steps)

    @property
    def shown(self) -> list[int]:
        steps: list[int] = self._shown.get() or []
        return steps


def told(step: AnyStep) -> int:
    """A short number for a step."""
    return zlib.crc32(repr(step).encode())


class Baton:
    """Lets the program's loop and the people take turns: neither ever waits for a clock."""

    def __init__(self) -> None:
        self._people, self._loop = threading.Semaphore(0), threading.Semaphore(0)

    def turned(self) -> None:
        """The loop has done a turn; the people's turn, until they have done something."""
        self._people.release()
        self._loop.acquire()

    def wait_for_loop(self) -> None:
        self._people.acquire()

    def let_loop_go(self) -> None:
        self._loop.release()


def no_more_pictures() -> Picture:
    raise EndOfPictures


class Life:
    """The program from a start to its death, or to the end of the game."""

    def __init__(self, folder: Path, source: Game, world: World, random: Random) -> None:
        self.source, self.world, self.random = source, world, random
        self.baton, self.fate, self.seconds = Baton(), Fate(), 0.0
        self._shown: list[int] = []
        # The people tell what a camera would have seen.
        camera = VirtualCamera(no_more_pictures)
        devices = Devices(VirtualDisplay(), VirtualButtons(), VirtualLights(), camera, ())
        self.session = Session(
            devices,
            SettingsFile(folder / "settings.json"),
            folder,
            games(),
            on_turn=self.baton.turned,
            mirrors=(self._note,),
            clock=lambda: self.seconds,
            source=self.fate,
        )

    def run(self) -> None:
        threading.Thread(target=self._people, daemon=True).start()
        assert self.session.run()

    def do(self, event: Event) -> None:
        """Something happens, and all that follows from it."""
        self.session.post(event)
        self.baton.let_loop_go()
        self.baton.wait_for_loop()

    @property
    def controller(self) -> Any:
        handler = self.session.handler
        return handler.controller if isinstance(handler, RecordedPlay) else handler

    def _note(self, effect: Effect) -> None:
        """What is on the screen must be true after every death."""
        controller = self.controller
        if isinstance(effect, Show) and isinstance(controller, Controller):
            steps = controller.game.steps
            self._shown = [*self._shown[: len(steps)], *map(told, steps[len(self._shown) :])]
            self.world.keep_shown(self._shown)

    def _people(self) -> None:
        try:
            self.baton.wait_for_loop()
            if isinstance(self.controller, Lobby) and not is_over(self.session.record, self.source):
                self._choose(self.source.state.setup.mode.value)
            if not isinstance(self.controller, Lobby):
                self._play()
            self._choose("off")
        except BaseException:  # noqa: BLE001 - a thread's death must be that of the process
            traceback.print_exc()
            os._exit(1)

    def _choose(self, entry: str) -> None:
        lobby = self.controller
        assert isinstance(lobby, Lobby), lobby
        for _ in range((lobby.entries.index(entry) - lobby.screen().chosen) % len(lobby.entries)):
            self.do(Pressed(Button.DOWN))
        self.session.post(Pressed(Button.ROLL))
        self.baton.let_loop_go()
        if entry != "off":
            self.baton.wait_for_loop()

    def _play(self) -> None:
        people = People(self)
        at = len(people.game.steps)
        if at:
            # The table is as it was when the power went; then people make it as the screen says, and go on.
            self.world.give_table(people.table)
            people.look(1.0)
            people.table.hand = False
            people.table.as_in(self.source.states[len(people.game.steps)])
            people.look()
        people.play(self.source)
        people.wait(0.3)
        people.press(Button.ROLL)
        assert isinstance(self.controller, Lobby)


class People(Player):
    """The people at the table of a program that is alive."""

    def __init__(self, life: Life) -> None:
        self.life = life
        super().__init__(life.controller, life.fate, life.random, noise=0.2)

    def handle(self, event: Event) -> None:
        self.life.seconds = max(self.life.seconds, self.now)
        if isinstance(event, Seen):
            self.life.world.keep_table(self.table)
        self.life.do(event)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def prepare(kill: Kill) -> None:
    """Makes this process die with its count-th write, sync or rename."""
    left = kill.count

    def is_time(kind: str) -> bool:
        nonlocal left
        left -= kill.kind == kind
        return kill.kind == kind and left == 0

    def instead(done: Callable[..., Any], kind: str) -> Callable[..., Any]:
        def call(*what: Any, **more: Any) -> Any:
            is_last = is_time(kind)
            answer = None if is_last and not kill.share else done(*what, **more)
            if is_last:
                die()
            return answer

        return call

    def write(writer: RecordWriter, text: bytes, whole: Callable[..., None] = RecordWriter._write) -> None:
        if not is_time("write"):
            whole(writer, text)
            return
        writer._file.write(text[: round(kill.share * len(text))])
        die()

    RecordWriter._write = write  # type: ignore[method-assign]
    os.fsync = instead(os.fsync, "sync")
    Path.rename = instead(Path.rename, "rename")  # type: ignore[method-assign]
    Path.replace = instead(Path.replace, "rename")  # type: ignore[method-assign]


def read_game(path: Path) -> Game:
    """The game in a record, as far as it goes; raises RecordError."""
    recording = read_record(path)
    game = recorded_start(path, recording)
    for _ in replay(path, recording, game):
        pass
    return game


def is_over(path: Path, source: Game) -> bool:
    """Whether the record is of this game (each has its own mode), played to its end."""
    try:
        game = read_game(path)
    except RecordError:
        return False
    return game.state.phase is Phase.OVER and game.state.setup.mode == source.state.setup.mode


def lived(folder: Path, source: Game, world: World, random: Random, kill: Kill | None) -> bool:
    """One life in a process of its own; says whether it was killed. Raises ChildProcessError if it failed."""
    child = os.fork()
    if child == 0:
        try:
            if kill is not None:
                prepare(kill)
            Life(folder, source, world, random).run()
            os._exit(0)
        except BaseException:  # noqa: BLE001 - never back into the parent's code
            traceback.print_exc()
            os._exit(1)
    if kill is not None and kill.kind == "time":
        time.sleep(kill.seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return True
    if os.WEXITSTATUS(status):
        raise ChildProcessError(f"a life failed: {kill}")
    return False


def check_shown(path: Path, world: World) -> None:
    """Everything that was on the screen is in the record."""
    shown = world.shown
    steps = read_game(path).steps if shown else []
    assert [told(step) for step in steps[: len(shown)]] == shown, "something was shown that is not in the record"


def begin_folder(folder: Path) -> None:
    """The people's names, so that their games are those of the sources."""
    folder.mkdir()
    SettingsFile(folder / "settings.json").keep(Settings(names=NAMES, sounds=False))


def play_killed(folder: Path, source: Game, seed: int, kills: int) -> tuple[int, int]:
    """Plays a game that is killed so many times at least, over and over; returns the kills and the games."""
    random, done, games = Random(seed), 0, 0
    while games == 0 or done < kills:
        world, is_alive = World(), True
        path = folder / "game.jsonl"
        if path.exists():
            path.replace(folder / "over.jsonl")
        while is_alive:
            kill = Kill.drawn(random) if done < kills else None
            is_alive = lived(folder, source, world, Random(random.random()), kill)
            done += is_alive
            check_shown(path, world)
        check_end(folder, source)
        games += 1
    return done, games


def check_end(folder: Path, source: Game) -> None:
    """The game in the folder has gone as it was to go."""
    game = read_game(folder / "game.jsonl")
    for number, (done, wanted) in enumerate(zip(faces_and_dice(game), faces_and_dice(source), strict=False), start=1):
        assert done == wanted, f"step {number} is {done}, not {wanted}"
    assert len(game.steps) == len(source.steps)
    assert result(game.state) == result(source.state)
    assert game.state.setup.names == source.state.setup.names
    assert [player.pile for player in game.state.players] == [player.pile for player in source.state.players]
    assert NotesFile(folder / "game.notes").read().redo == ()
    if source.state.setup.mode.is_solo:
        setup, outcome = source.state.setup, result(source.state)
        kept = SoloScores(folder / "solo-scores.jsonl").past((NAMES[0], setup.edition.title, setup.mode.value))
        own = [score for score in kept if score.game == read_record(folder / "game.jsonl").header["id"]]
        assert outcome is not None
        assert [score.points for score in own] == [outcome.scores[0].points]


def faces_and_dice(game: Game) -> list[list[object]]:
    """What was drawn, laid, rolled, put and shown; places differ by a camera's noise."""
    names = ("face", "dice", "faces", "combine", "starter")
    return [[type(step).__name__, *(getattr(step, name, None) for name in names)] for step in game.steps]


MODES = tuple(Mode)
