"""The things on the virtual table, and what several hands do to them at once."""

import threading
from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from companion.virtual.disturbances import Disturbances
from companion.virtual.things import EMMA, Card, Figure, HandsError, Place
from companion.virtual.world import PATIENCE_SECONDS, World
from vision.cards import Pose, standard_deck

DECK = standard_deck("standard-55")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def world(clock: Clock) -> World:
    world = World(clock)
    world.begin(DECK, ("Ann", "Ben"), 2, seed=3)
    return world


def all_cards(world: World) -> list[Card]:
    return [card for place in Place for card in world.cards(place)]


def laid(world: World, x: float = 300, y: float = 300) -> int:
    number = world.draw(0)
    world.take_hold(number, "me")
    world.lay(number, "me", Pose(x, y, 0.0))
    return number


def test_cards_are_pushed_as_one_with_emma_on_them(world: World) -> None:
    one, other, apart = laid(world, 300), laid(world, 364), laid(world, 600)
    world.place_figure(EMMA, Pose(364, 310, 0))
    world.push([one, other], 50, -20)
    lying = {card.number: card.pose for card in world.cards(Place.TABLE)}
    assert (lying[one], lying[other]) == (Pose(350, 280, 0), Pose(414, 280, 0))
    assert lying[apart].x_mm == 600
    assert world.figure(EMMA).pose == Pose(414, 290, 0)
    assert world.scenery().reach is not None
    for numbers, right, reason in (([one], -400, "beside"), ([999], 5, "unknown"), ([world.draw(0)], 5, "unknown")):
        with pytest.raises(HandsError, match=reason):
            world.push(numbers, right, 0)
    world.push([one, other], 0, 0, 90)
    (first, second) = (card.pose for card in world.cards(Place.TABLE) if card.number in {one, other})
    assert (first.x_mm, first.y_mm, first.rotation_deg) == pytest.approx((396, 240 + 2 / 3, 90))
    assert (second.x_mm, second.y_mm) == pytest.approx((396, 304 + 2 / 3))
    world.take_hold(one, "somebody")
    with pytest.raises(HandsError, match="held"):
        world.push([one, other], 5, 5)


def test_every_figure_is_moved_by_itself_and_goes_along_with_the_card_that_it_stands_on(world: World) -> None:
    world.restore(replace(world.snapshot(), figures=(Figure(-1, "wagon-1"), Figure(-2, "wagon-1"), Figure(-3, "x"))))
    one, other = laid(world, 300), laid(world, 400)
    world.place_figure(-1, Pose(310, 300, 90))
    world.take_hold(-2, "me")
    world.lay(-2, "me", Pose(290, 300))
    assert [world.card_under(number) for number in (-1, -2, -3)] == [one, one, None]
    world.take_hold(-1, "me")
    with pytest.raises(HandsError, match="held"):
        world.push([one], 0, 10)
    world.push([other], 0, 10)
    world.let_go(-1, "me")
    world.push([one], 0, 10)
    world.turn(-2, "me", 90)
    assert [figure.pose for figure in world.figures] == [Pose(310, 310, 90), Pose(290, 310, 90), None]
    world.take_hold(-2, "me")
    assert [figure.number for figure in world.scenery().figures] == [-1]
    world.move(-2, "me", Pose(500, 500))
    assert {figure.number: figure.pose for figure in world.scenery().figures}[-2] == Pose(500, 500)
    with pytest.raises(HandsError, match="unknown"):
        world.place_figure(EMMA, Pose(1, 1))


def test_a_hand_that_has_done_something_is_seen_until_it_withdraws(world: World) -> None:
    """Looking changes nothing."""
    world.place_card(world.draw(0), Pose(300, 310))
    before = world.scenery()
    assert before.reach == (300, 310)
    assert world.scenery() == before
    world.withdraw_hand()
    assert world.scenery().reach is None


def test_too_few_cards_cannot_be_dealt_and_stay_where_they_are(world: World) -> None:
    for _ in range(DECK.size - 20):
        world.draw(0)
    before = world.snapshot()
    with pytest.raises(HandsError, match="empty"):
        world.deal(removed=11, hand_cards=5)
    assert world.snapshot() == before


def test_a_card_is_drawn_carried_and_laid(world: World) -> None:
    number = world.draw(1)
    assert [card.number for card in world.cards(Place.HAND, 1)] == [number]
    world.take_hold(number, "me")
    world.move(number, "me", Pose(200, 200, 5))
    seen = world.scenery()
    assert [card.number for card in seen.held] == [number]
    assert seen.fingertips
    world.lay(number, "me", Pose(210, 205, 7))
    seen = world.scenery()
    assert [(card.number, card.pose) for card in seen.lying] == [(number, Pose(210, 205, 7))]
    assert not seen.held
    assert not seen.fingertips


def test_what_one_holds_another_cannot_take(world: World, clock: Clock) -> None:
    number = laid(world)
    world.take_hold(number, "me")
    with pytest.raises(HandsError) as refused:
        world.take_hold(number, "you")
    assert refused.value.reason == "held"
    for act in (world.move, world.lay):
        with pytest.raises(HandsError):
            act(number, "you", Pose(1, 1))
    with pytest.raises(HandsError):
        world.put(number, "you", Place.AWAY)
    clock.now += PATIENCE_SECONDS + 1
    world.take_hold(number, "you")
    with pytest.raises(HandsError):
        world.lay(number, "me", Pose(1, 1))


def test_who_goes_leaves_everything_where_it_was(world: World) -> None:
    number = laid(world, 250, 260)
    world.take_hold(number, "me")
    world.move(number, "me", Pose(500, 500))
    world.take_hold(EMMA, "me")
    world.leave("me")
    assert not world.holds()
    assert world.cards(Place.TABLE)[0].pose == Pose(250, 260)


@pytest.mark.parametrize(("x", "y"), [(-1, 300), (801, 300), (300, -1), (300, 601)])
def test_nothing_is_laid_beside_the_table(world: World, x: float, y: float) -> None:
    number = world.draw(0)
    world.take_hold(number, "me")
    with pytest.raises(HandsError) as refused:
        world.lay(number, "me", Pose(x, y))
    assert refused.value.reason == "beside"


def test_only_the_top_of_the_pile_can_be_taken(world: World) -> None:
    pile = world.cards(Place.PILE)
    with pytest.raises(HandsError) as refused:
        world.take_hold(pile[0].number, "me")
    assert refused.value.reason == "below"
    world.take_hold(pile[-1].number, "me")
    assert world.draw(0) == pile[-1].number


def test_an_empty_pile_and_unknown_things(world: World) -> None:
    for _ in range(DECK.size):
        world.draw(0)
    with pytest.raises(HandsError) as empty:
        world.draw(0)
    assert empty.value.reason == "empty"
    with pytest.raises(HandsError) as unknown:
        world.take_hold(56, "me")
    assert unknown.value.reason == "unknown"
    with pytest.raises(HandsError):
        world.draw(2)


def test_dealing_shuffles_what_was_set_aside_back_in_and_counts_as_the_rules_say(world: World) -> None:
    for x in (100, 200, 300, 400):
        laid(world, x)
    aside = world.draw(0)
    world.take_hold(aside, "me")
    world.put(aside, "me", Place.AWAY)
    world.deal(removed=11, hand_cards=2)
    counts = Counter(card.place for card in all_cards(world))
    assert counts == {Place.TABLE: 4, Place.BOX: 11, Place.HAND: 4, Place.PILE: 36}
    assert Counter(card.face for card in all_cards(world)) == Counter(face.id for face in DECK.cards())
    with pytest.raises(HandsError):
        world.deal(removed=11, hand_cards=2)
    boxed = world.cards(Place.BOX)[0].number
    with pytest.raises(HandsError):
        world.take_hold(boxed, "me")


def test_emma_stands_on_the_card_below_her(world: World) -> None:
    number = laid(world)
    world.take_hold(EMMA, "me")
    world.lay(EMMA, "me", Pose(310, 330, 90))
    assert world.card_under(EMMA) == number
    world.turn(EMMA, "me", 180)
    assert world.figure(EMMA).pose == Pose(310, 330, 270)
    world.take_hold(EMMA, "me")
    world.put(EMMA, "me", Place.AWAY)
    assert world.figure(EMMA).pose is None
    assert world.card_under(EMMA) is None


def test_the_same_seed_gives_the_same_cards_and_another_others() -> None:
    orders = []
    for seed in (1, 1, 2):
        world = World(Clock())
        world.begin(DECK, ("Ann",), 1, seed)
        orders.append([card.face for card in world.cards(Place.PILE)])
    assert orders[0] == orders[1] != orders[2]


def test_disturbances_are_seen_by_the_camera(world: World) -> None:
    world.disturb(Disturbances(light="dusk", bumps=1))
    assert world.scenery().disturbances == Disturbances(light="dusk", bumps=1)


def test_many_hands_at_once_tear_nothing(world: World) -> None:
    """Eight people grab, carry, lay and drop at random: no card is lost, doubled, or held by two."""
    errors: list[Exception] = []

    def play(who: int) -> None:
        random, me = Random(who), f"hand {who}"
        try:
            for _ in range(400):
                number = random.randrange(DECK.size + 1)
                pose = Pose(random.uniform(-50, 850), random.uniform(-50, 650), random.uniform(0, 360))
                try:
                    world.take_hold(number, me)
                    world.move(number, me, pose)
                    random.choice(
                        [
                            lambda: world.lay(number, me, pose),  # noqa: B023 - called at once
                            lambda: world.put(number, me, random.choice(list(Place)), random.randrange(3)),  # noqa: B023
                            lambda: world.let_go(number, me),  # noqa: B023
                            lambda: world.draw(random.randrange(2)),
                            lambda: world.turn(number, me, 90),  # noqa: B023
                        ]
                    )()
                except HandsError:
                    pass
                scenery = world.scenery()
                lying = [card.number for card in scenery.lying]
                assert len(lying) == len(set(lying))
                assert not set(lying) & {card.number for card in scenery.held}
            world.leave(me)
        except Exception as error:  # noqa: BLE001 - told by the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=play, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert not world.holds()
    assert Counter(card.face for card in all_cards(world)) == Counter(face.id for face in DECK.cards())
    assert sorted(card.number for card in all_cards(world)) == list(range(1, DECK.size + 1))
