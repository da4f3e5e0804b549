"""A world put down as JSON and taken up again is the same world; what is damaged is refused."""

import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.virtual.snapshot import Snapshot, SnapshotError, read_snapshot, shuffled
from companion.virtual.things import EMMA, Figure, HandsError, Place
from companion.virtual.world import World
from vision.cards import Pose, standard_deck

DECK = standard_deck("standard-55")
LOOKS = ("emma", "wagon-1", "wagon-2")
FIGURES = tuple(Figure(-index, look) for index, look in enumerate(LOOKS))


def played(seed: int, moves: int) -> World:
    """A world in which hands have done all kinds of things."""
    world, random = World(lambda: 0.0), Random(seed)
    world.restore(replace(shuffled(DECK, ("Ann", "Ben", "Betsy"), 2, seed), figures=FIGURES))
    for _ in range(moves):
        with suppress(HandsError):
            move(world, random)
    return world


def move(world: World, random: Random) -> None:
    """Anything that hands do."""
    number, pose = random.randrange(1 - len(LOOKS), DECK.size + 1), Pose(*(random.uniform(0, 600) for _ in range(3)))
    done: list[Callable[[], object]] = [
        lambda: world.draw(random.randrange(2)),
        lambda: world.take_hold(number, "me"),
        lambda: world.lay(number, "me", pose),
        lambda: world.put(number, "me", random.choice([Place.HAND, Place.AWAY, Place.PILE])),
        lambda: world.turn(number, "me", 90),
        lambda: world.place_figure(-random.randrange(len(LOOKS)), pose),
        lambda: world.deal(11, 5),
    ]
    random.choice(done)()


@given(st.integers(0, 10**6), st.integers(0, 60))
def test_a_world_that_is_taken_up_again_is_the_same(seed: int, moves: int) -> None:
    """It lies as before, and whatever is done next comes out alike; only what was held is back where it was."""
    before, after = played(seed, moves), World(lambda: 0.0)
    for holder in {hold.holder for hold in before.holds().values()}:
        before.leave(holder)
    after.restore(read_snapshot(before.snapshot().json(), DECK, LOOKS))
    assert after.snapshot() == before.snapshot()
    for world in (before, after):
        random = Random(seed)
        for _ in range(20):
            with suppress(HandsError):
                move(world, random)
    assert after.snapshot() == before.snapshot()
    assert after.holds() == before.holds()


def test_nothing_of_the_world_before_is_left() -> None:
    fresh, used = World(lambda: 0.0), played(3, 80)
    used.take_hold(EMMA, "me")
    fresh.begin(DECK, ("Ann",), 1, 5)
    revision = used.revision
    used.restore(fresh.snapshot())
    assert used.revision > revision
    assert (used.snapshot(), used.holds()) == (fresh.snapshot(), {})
    assert (used.figure(EMMA).pose, used.scenery().reach) == (None, None)
    assert used.figures == (Figure(EMMA, "emma"),)


def test_a_table_that_was_put_down_when_emma_was_the_only_figure_is_taken_up() -> None:
    for stands in ([120.5, 80, 90], None):
        older = json.loads(shuffled(DECK, ("Ann",), 1, 5).json())
        del older["figures"]
        snapshot = read_snapshot(json.dumps({**older, "emma": stands}).encode(), DECK)
        assert snapshot.figures == (Figure(EMMA, "emma", stands and Pose(*stands)),)


def damaged(change: Callable[[dict[str, Any]], object]) -> bytes:
    things = json.loads(played(3, 40).snapshot().json())
    change(things)
    return json.dumps(things).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not readable"),
        (b"\xff\xfe", "not readable"),
        (played(3, 40).snapshot().json()[:-20], "not readable"),
        (damaged(lambda things: things.pop("persons")), "not readable.*persons"),
        (damaged(lambda things: things["cards"][7].update(place="moon")), "not readable.*cards"),
        (damaged(lambda things: things["cards"].pop()), "numbered"),
        (damaged(lambda things: things["cards"][0].update(number=56)), "numbered"),
        (damaged(lambda things: things["cards"][0].update(face="queen-of-hearts")), "deck"),
        (damaged(lambda things: things.update(card_mm=[1, 2])), "size"),
        (damaged(lambda things: things.update(persons=0)), "people"),
        (damaged(lambda things: things.update(persons=4)), "people"),
        (damaged(lambda things: things["cards"][0].update(place="hand", owner=2)), "nobody's"),
        (damaged(lambda things: things["figures"][1].update(number=EMMA)), "one"),
        (damaged(lambda things: things["figures"][1].update(number=7)), "number of a card"),
        (damaged(lambda things: things["figures"][1].update(look="moon")), "looks like"),
        (damaged(lambda things: things["cards"][0].update(pose=[1e300 * 1e300, 0, 0])), "not readable"),
    ],
)
def test_what_is_damaged_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(SnapshotError, match=why):
        read_snapshot(data, DECK, LOOKS)


@given(st.integers(0, 6000), st.binary(max_size=4))
def test_whatever_is_read_is_whole(at: int, junk: bytes) -> None:
    whole = played(3, 40).snapshot().json()
    with suppress(SnapshotError):
        snapshot = read_snapshot(whole[:at] + junk + whole[at + len(junk) :], DECK, LOOKS)
        world = World(lambda: 0.0)
        world.restore(snapshot)
        assert msgspec.json.decode(world.snapshot().json(), type=Snapshot) == snapshot
