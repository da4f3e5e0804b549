"""Games at a table that is not left alone: doubtful readings, vehicles put wrong, power cuts, a camera that goes."""

from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.games.events import Fault, Restored
from companion.games.locomotion.rules import Phase
from companion.games.settings import Settings
from tests.companion.games.locomotion.play.people_at_table import People, settings_of
from tests.companion.games.locomotion.play.whole_game import WholeGame
from tests.companion.games.locomotion.rules.knobs import KNOBS
from vision.watching.network_reading import SeenVehicle
from vision.watching.table_reading import TableReading

TURNS = 25


class Doubtful(People):
    """The eye is not sure of some vehicles, nor of some dots whether anything stands there."""

    doubt = 0.0

    def reading(self) -> TableReading:
        reading = super().reading()
        if reading.network is None or not self.doubt:
            return reading
        random = Random(repr(reading.network.vehicles))
        vehicles = [self._doubted(vehicle, random) for vehicle in reading.network.vehicles]
        free = {self._seen(dot) for dot in self._dots} - {vehicle.dot for vehicle in vehicles}
        hidden = tuple(dot for dot in sorted(free) if random.random() < self.doubt / 4)
        return replace(reading, network=replace(reading.network, vehicles=tuple(vehicles), hidden=hidden))

    @property
    def _dots(self) -> tuple[tuple[int, int], ...]:
        return () if self.state is None else self.state.setup.network.dots

    def _doubted(self, vehicle: SeenVehicle, random: Random) -> SeenVehicle:
        if random.random() >= self.doubt:
            return vehicle
        other = (1 + vehicle.colour % 4, vehicle.is_locomotive)
        return replace(vehicle, others=(other,))


class DisturbedGame(WholeGame):
    """A whole game in which something goes wrong now and then, and is put right."""

    def __init__(self, folder: Path, kind: str, settings: Settings, seed: int, doubt: float) -> None:
        super().__init__(folder, kind, settings, seed)
        self.people.play.close()
        self.people = Doubtful(folder, kind, settings, seed)
        self.people.doubt = doubt
        self.random = self.people.random
        self.told: Counter[str] = Counter()

    def goes_on(self) -> None:
        is_thinking = self.people.play.controller.desk.is_automatic
        disturbance = "nothing" if is_thinking else self.random.choice(["nothing", "nothing", "cut", "fault", "wrong"])
        self.told[disturbance] += 1
        match disturbance:
            case "cut":
                self.people.restart()
            case "fault":
                self.people.happens(Fault("camera"))
                self.people.waits()
                self.people.happens(Restored("camera"))
                self.people.waits()
            case "wrong":
                self._puts_wrong()
            case _:
                pass
        super().goes_on()

    def _puts_wrong(self) -> None:
        """Somebody puts a vehicle elsewhere that nobody may move; after a while it is told, and put back."""
        people, right, state = self.people, self.people.state, self.people.game_state
        assert right is not None
        train = set(state.train) if state.phase is Phase.MOVING else set()
        rows = [row for row in state.stock.rows if state.phase is not Phase.MOVING or state.setup.is_locomotive(row[0])]
        movable = sorted({vehicle for row in rows for vehicle in row} - train)
        if not movable:
            return
        dots = list(right.stock.dots)
        vehicle = self.random.choice(movable)
        dots[vehicle] = self.random.choice(sorted({*range(len(right.setup.network.dots))} - {*dots}))
        people.puts(replace(right, stock=replace(right.stock, dots=tuple(dots))))
        people.waits(4)
        # The turn before may have ended so, and what the eye cannot see well it may take for what should be there.
        assert people.screen.alert or people.game_state is not state or people.doubt
        people.puts(right)
        people.waits(4)
        assert not people.screen.alert
        assert people.game_state == state


KINDS = [(kind, players, knobs) for kind, players, knobs in product(("die", "speed"), (1, 2, 3), KNOBS)]


def check_game(folder: Path, number: int, doubt: float) -> Counter[str]:
    """Plays some turns of a game; every state has to be right, and what was put wrong told."""
    kind, people, knobs = KINDS[number % len(KINDS)]
    automatic = ("greedy",) if number % 3 == 0 and people < 3 else ()
    settings = settings_of(
        network=("key", "windmill", "two-squares")[number % 3] if people + len(automatic) < 3 else "three-windows",
        colours=2 + number % 2 if people + len(automatic) < 3 else 2,
        people=people,
        automatic=automatic,
        reverse_in_turn=knobs.reverse_in_turn,
        gap=knobs.gap.value,
        behind=knobs.behind.value,
    )
    game = DisturbedGame(folder, kind, settings, number, doubt)
    counted = game.play(TURNS)
    game.people.play.close()
    return game.told + Counter(turns=counted.turns, presses=counted.presses, corrections=counted.corrections)


@pytest.mark.parametrize("number", [30])
def test_a_game_goes_on_whatever_happens_at_the_table(number: int, tmp_path: Path) -> None:
    told = check_game(tmp_path, number, 0.0)
    assert min(told["cut"], told["wrong"], told["fault"]) > 0


@pytest.mark.further
@pytest.mark.parametrize("number", range(96))
def test_so_do_many_games_in_all_modes_with_all_knobs(number: int, tmp_path: Path) -> None:
    check_game(tmp_path, number, (0.0, 0.2)[number % 2])
