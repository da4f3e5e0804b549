"""Hints in a game for one: how many steps it takes at least, what to couple first, and the next step."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.desk.advice import Standing
from companion.games.locomotion.play.pasts import Past, other_pasts, played_so
from companion.games.locomotion.rules import Couple, Motion, Phase, RuleError, Run, State, Uncouple
from companion.games.locomotion.rules.motions import moved, position
from companion.games.locomotion.strategy.outlook import Outlook
from companion.screen.screen import NetworkMap, Screen
from hardware.buttons import Button

STRENGTHS = 3
_MOST = 8
"""In so many ways all may lie: seldom is it more than one."""


def can_hint(desk: Desk) -> bool:
    """Whether there are hints: alone, until the end."""
    return desk.has_begun and desk.state.setup.players == 1 and desk.state.phase is not Phase.OVER


def open_hint(desk: Desk) -> None:
    """Opens the weakest hint about how all stands now."""
    standing = _standing(desk)
    desk.advice.search(standing)
    desk.open(Hint(standing))


def _standing(desk: Desk) -> Standing:
    """How people have moved everything by now, also in ways that cannot be told from that by looking."""
    way = None if desk.is_blind else desk.turn.way
    if desk.is_blind:
        return (desk.state,)
    now = desk.state if way is None else way.state
    others = [past.state for past in other_pasts(desk.game)]
    if way is not None:
        pasts = [Past(0, (), state) for state in (desk.state, *others)]
        others = [past.state for before in pasts for past in played_so(before, now.stock, ())]
    apart = {state.stock: state for state in others if state.stock != now.stock}
    return (now, *list(apart.values())[:_MOST])


class Hint:
    """One hint about how all stood when it was asked for; ROLL asks for a stronger one."""

    def __init__(self, standing: Standing) -> None:
        """``standing`` has been asked about."""
        self._standing = standing
        self._strength = 1

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: more. Everything else leaves."""
        advice = desk.advice
        if button is Button.ROLL and self._strength < STRENGTHS and _is_helped(advice.of(self._standing)):
            self._strength += 1
        elif button is Button.ROLL and advice.is_searching(self._standing):
            pass
        else:
            desk.close()

    def screen(self, desk: Desk) -> Screen:
        """What is known by now. What is not proven is told as what it is."""
        state, outlook = self._standing[0], desk.advice.of(self._standing)
        more = self._strength < STRENGTHS and _is_helped(outlook)
        keys = (desk.word("key-more") if more else "", "", "", "", desk.word("key-back"))
        shown = Screen(heading=desk.word("hint"), keys=keys)
        if outlook.is_impossible:
            return replace(shown, main=desk.word("hint-impossible"), lines=(desk.word("hint-impossible-help"),))
        if self._strength == 1 or not _is_helped(outlook):
            return replace(shown, **_how_many(desk, outlook, is_searching=desk.advice.is_searching(self._standing)))
        motion = outlook.first_change if self._strength == 2 else (outlook.plan or (None,))[0]
        if motion is None:
            return shown
        lines = () if self._strength == 2 or _is_for_now(state, motion) else (desk.word("hint-next-turn"),)
        return replace(shown, main=_in_words(desk, state, motion), lines=lines, map=_on_map(state, motion))


def _is_for_now(state: State, motion: Motion) -> bool:
    """Whether the turn that goes on leaves room for it: not where a train may not turn back within a turn (LRUN4)."""
    try:
        moved(position(state), motion)
    except RuleError:
        return False
    return True


def _is_helped(outlook: Outlook) -> bool:
    """Whether a plan is known that leads on."""
    return bool(outlook.plan)


def _how_many(desk: Desk, outlook: Outlook, *, is_searching: bool) -> dict[str, object]:
    if outlook.is_proven:
        return {"main": desk.word("hint-steps", count=outlook.least), "lines": (desk.word("hint-proven"),)}
    lines = [desk.word("hint-known", count=outlook.steps)] if outlook.steps is not None else []
    lines += [desk.word("hint-searching" if is_searching else "hint-no-more")]
    return {"main": desk.word("hint-least", count=max(1, outlook.least)), "lines": tuple(lines)}


def _in_words(desk: Desk, state: State, motion: Motion) -> str:
    """What to do; a change that comes later is told by what it is about."""
    colours = state.setup.colours
    if isinstance(motion, Couple):
        return desk.word("hint-couple", colour=desk.word.colour(colours[motion.wagon]))
    if isinstance(motion, Uncouple):
        left = state.train[-motion.count :]
        return desk.word("hint-uncouple", colours=[desk.word.colour(colours[wagon]) for wagon in left])
    return desk.word("backwards" if motion.backwards else "forwards")


def _on_map(state: State, motion: Motion) -> NetworkMap:
    """The way of a run; of a change the wagons that it is about."""
    stock, network = state.stock, state.setup.network
    if isinstance(motion, Run):
        leader = state.train[-1 if motion.backwards else 0]
        to = network.number(motion.to)
        return state_map(state, way=[stock.dots[leader], *([] if to is None else [to])])
    wagons = [motion.wagon] if isinstance(motion, Couple) else state.train[-motion.count :]
    return state_map(state, marked=[stock.dots[wagon] for wagon in wagons])
