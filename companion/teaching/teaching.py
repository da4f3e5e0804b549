"""Teaching on the device: asks the people about each card that its camera finds, with five buttons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from companion.games import events
from companion.games.events import Effect, Event, Sound
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.teaching.accepted_doubts import AcceptedDoubts
from companion.teaching.emma_steps import EmmaShown, EmmaWanted
from companion.teaching.emma_talk import EmmaTalk
from companion.teaching.lesson import CardFacts, Lesson
from companion.teaching.on_page import Asking, facts_of, facts_told, picture_of
from companion.teaching.rail_ways import are_alike
from companion.teaching.steps import (
    BROKEN,
    LEAST_CARDS,
    OTHER_BROKEN,
    SAME,
    Anew,
    Chosen,
    Counting,
    Doubtful,
    Finished,
    GoOn,
    Learning,
    Offered,
    Step,
    Twin,
    Waiting,
    WhichRails,
    WhichValue,
    asked_first,
    fault_told,
    twin_choices,
    ways_of,
)
from companion.teaching.taught_deck import Reason, TaughtDeck
from companion.teaching.teaching_eyes import (
    CardShown,
    EmmaFound,
    Looking,
    Made,
    Making,
    News,
    NoCard,
    NoEmma,
    NotMade,
    StillThere,
    TeachingEyes,
)
from companion.teaching.told import Subject, Told
from companion.texts.faults import FAULTS
from companion.texts.language import Texts
from hardware.buttons import Button
from vision.cards import Edge, Kind

if TYPE_CHECKING:
    from vision.arrays import Picture
    from vision.teaching.told_faces import FaceGuess

_VALUES: Final = {Button.ROLL: 1, Button.PASS: 2, Button.UP: 3, Button.DOWN: 4}


class Teaching:
    """Asks about card after card; left for ``lobby`` with BACK, and for ``taught`` once a deck is kept."""

    expected_faces: Collection[str] = ()
    held_buttons: Collection[Button] = (Button.PASS, Button.BACK)
    """They count when they are let go: held together they switch the companion off."""

    def __init__(
        self,
        settings: Settings,
        lesson: Lesson,
        eyes: TeachingEyes,
        sizes: Collection[int],
        keep: Callable[[TaughtDeck], None],
    ) -> None:
        """``sizes``: with so many cards a game can be played. ``keep`` keeps the deck, and may raise OSError."""
        self.settings = settings
        self.step: Step = GoOn() if lesson.cards else Waiting()
        self._lesson, self._eyes, self._sizes, self._keep = lesson, eyes, sizes, keep
        self._emma = EmmaTalk(lesson, eyes)
        self._faults: dict[str, str] = {}
        self._accepted = AcceptedDoubts(lesson)
        self._same: int | None = None
        """The card of the lesson that the last one seems to be once more."""
        self._places: Mapping[Edge, float] = {}
        """Where rails would leave the last card."""
        self._has_missed = False
        """Whether a card was shown for which nobody had time."""
        self._shown: Screen | None = None
        self._asked = 0
        self._asked_at: Step = self.step
        """The number of the question, and the step in which it was asked."""
        if lesson.cards:
            eyes.rest()

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""
        effects: list[Effect] = []
        match event:
            case events.Pressed(button=button):
                effects += self._pressed(button)
            case events.Fault(device=device, message=message) if device in FAULTS:
                self._faults[device] = message
            case events.Restored(device=device):
                self._faults.pop(device, None)
            case events.Spoken(language=language):
                self.settings = replace(self.settings, language=language)
            case events.CardTold():
                effects += self._told(event)
            case events.Changed(change=change):
                self.settings, self._shown = change.of(self.settings), None
                effects.append(events.Kept(self.settings))
            case _:
                pass
        # Afterwards: a press is meant for what was to be seen before.
        for news in self._eyes.news():
            effects += self._seen(news)
        if self.step is not self._asked_at:
            self._asked, self._asked_at = self._asked + 1, self.step
        screen = self.screen()
        if screen != self._shown:
            self._shown = screen
            effects.append(events.Show(screen))
        return effects

    def facts(self) -> Mapping[str, object]:
        """What is asked now, and the cards that are taught; may be asked in any thread."""
        return facts_of(self.step, self._asked, self._lesson, self._places)

    def picture(self, name: str) -> Picture | None:
        """The picture of a card, as the facts name it; may be asked in any thread."""
        return picture_of(name, self.step, self._lesson)

    def photograph(self, picture: Picture) -> bool:
        """Somebody sends a photograph of a card; says whether there is time for it. May be called in any thread."""
        return isinstance(self.step, Waiting) and self._eyes.photograph(picture)

    def screen(self) -> Screen:
        """What is to be seen."""
        say = Texts(self.settings.language)
        faults = [fault_told(say, device, told) for device, told in sorted(self._faults.items())]
        return self.step.screen(Told(say, [card.facts for card in self._lesson.cards], (*faults, "")[0]))

    # What the camera brings

    def _seen(self, news: News) -> list[Effect]:
        match news:
            case CardShown(guess=guess):
                return self._card_shown(news, guess)
            # Where it was not waited for, it comes of a lesson that is another one now.
            case Made(taught=taught) if isinstance(self.step, Learning):
                return self._made(taught)
            case Making(done=done, of=of) if isinstance(self.step, Learning):
                self.step = Learning(done, of)
            case NotMade() if isinstance(self.step, Learning):
                self._wait("not-made")
                return [Sound("wrong")]
            case StillThere() if isinstance(self.step, Waiting):
                self.step = self.step._replace(hint="")
            case EmmaFound() | NoEmma() | Looking() if isinstance(self.step, EmmaWanted):
                self.step = self._emma.seen(self.step, news)
                return [Sound("turn")] if isinstance(self.step, EmmaShown) else []
            case Looking() | NoCard() if isinstance(self.step, Waiting):
                self.step = self.step._replace(hint=news.hint)
            case _:
                pass
        return []

    def _card_shown(self, news: CardShown, guess: FaceGuess) -> list[Effect]:
        if not isinstance(self.step, Waiting):
            # Somebody has asked for something else while the picture was read: it is told of once more later.
            self._has_missed = True
            return []
        facts = CardFacts(guess.value or 1, Kind.TRACK if guess.ports else Kind.CHAOS, guess.ports, guess.is_turned)
        card, self._same, self._places = news.photographed, guess.same, guess.places
        self.step = asked_first(card, facts, ways_of(card, facts, self._lesson, self._places), guess)
        return [Sound("turn")]

    # What people press

    def _pressed(self, button: Button) -> list[Effect]:
        answers: dict[type[Step], Callable[[Any, Button], list[Effect]]] = {
            GoOn: self._go_on,
            Anew: self._begin_anew,
            EmmaWanted: self._about_emma,
            EmmaShown: self._about_emma,
            Learning: lambda _, button: self._wait() if button is Button.BACK else [],
            Waiting: self._while_waiting,
            Offered: self._about_offer,
            WhichValue: self._about_value,
            WhichRails: self._about_rails,
            Twin: self._about_twin,
            Doubtful: self._about_doubt,
            Counting: self._counted,
            Finished: lambda _, button: [events.Leave("taught")] if button is Button.ROLL else [],
        }
        if button in {Button.UP, Button.DOWN} and isinstance(self.step, Chosen):
            self.step = self.step.moved(button)
            return []
        answer = answers.get(type(self.step))
        return [] if answer is None else answer(self.step, button)

    def _go_on(self, _: GoOn, button: Button) -> list[Effect]:
        if button is Button.BACK:
            return [events.Leave("lobby")]
        if button is Button.PASS:
            self.step = Anew()
            return []
        return self._wait() if button is Button.ROLL else []

    def _begin_anew(self, _: Anew, button: Button) -> list[Effect]:
        if button is Button.BACK:
            self.step = GoOn()
        return self._kept(self._lesson.clear) or self._wait() if button is Button.ROLL else []

    def _while_waiting(self, _: Waiting, button: Button) -> list[Effect]:
        cards = self._lesson.cards
        if button is Button.BACK:
            return [events.Leave("lobby")]
        if button is Button.PASS:
            return self._wait(again=True)
        if button is Button.ROLL and len(cards) >= LEAST_CARDS:
            if self._lesson.emma:
                return self._learn()
            self.step = self._emma.ask(makes=True)
        elif button is Button.UP and cards:
            self.step = self._emma.ask(makes=False)
        elif button is Button.DOWN and cards:
            self._eyes.rest()
            self.step = Offered(len(cards) - 1, cards[-1].facts)
        return []

    def _learn(self) -> list[Effect]:
        self._eyes.rest()
        self._eyes.make()
        self.step = Learning()
        return []

    def _about_emma(self, step: EmmaWanted | EmmaShown, button: Button) -> list[Effect]:
        after = self._emma.pressed(step, button)
        if not isinstance(after, str):
            self.step = after
            return []
        return self._learn() if after == "learn" else self._wait("emma-taught" if after == "taught" else "")

    def _about_offer(self, step: Offered, button: Button) -> list[Effect]:
        card, facts = step
        match button:
            case Button.ROLL:
                return self._said(card, facts)
            case Button.PASS:
                self.step = WhichValue(card, facts)
            case Button.UP:
                self.step = WhichRails(card, facts, ways_of(card, facts, self._lesson, self._places), "seen")
            case Button.DOWN if isinstance(card, int):
                return self._forgotten(card)
            case Button.BACK:
                return self._wait()
            case _:
                pass
        return []

    def _forgotten(self, card: Subject) -> list[Effect]:
        """A card is not to be taught, or no more."""
        if not isinstance(card, int):
            return self._wait()
        return self._kept(lambda: self._lesson.remove(card)) or self._wait("forgotten")

    def _about_value(self, step: WhichValue, button: Button) -> list[Effect]:
        if button is not Button.BACK:
            return self._said(step.card, replace(step.facts, value=_VALUES[button]))
        self.step = WhichRails(
            step.card, step.facts, ways_of(step.card, step.facts, self._lesson, self._places), "open"
        )
        return []

    def _about_rails(self, step: WhichRails, button: Button) -> list[Effect]:
        if button is Button.BACK:
            return self._wait(again=True)
        if button is Button.ROLL:
            facts = step.chosen
            if step.value == "seen":
                return self._said(step.card, facts)
            # What nobody has seen nobody has confirmed.
            self.step = (Offered if step.value == "offered" else WhichValue)(step.card, facts)
        return []

    def _about_twin(self, step: Twin, button: Button) -> list[Effect]:
        if button is Button.BACK:
            self.step = WhichValue(step.card, step.facts)
        elif button is Button.ROLL:
            return self._twin_said(step, step.choices[step.at])
        return []

    def _twin_said(self, step: Twin, choice: str) -> list[Effect]:
        if choice == SAME:
            return self._forgotten(step.card)
        if choice == OTHER_BROKEN:
            other = replace(self._lesson.cards[step.other].facts, kind=Kind.BROKEN)
            if failed := self._kept(lambda: self._lesson.change(step.other, other)):
                return failed
        facts = replace(step.facts, kind=Kind.BROKEN) if choice == BROKEN else step.facts
        return self._taught(step.card, facts)

    def _told(self, told: events.CardTold) -> list[Effect]:
        """On a page somebody says what the card is that is asked about, with rails to the millimetre."""
        if told.asked != self._asked or not isinstance(self.step, Asking):
            return []  # another one is asked about by now
        try:
            facts = facts_told(told, self.step.facts, self._lesson.card_mm)
        except ValueError:  # DeckError among them: no page of ours offers such a card
            return [Sound("wrong")]
        return self._said(self.step.card, facts)

    def _said(self, card: Subject, facts: CardFacts) -> list[Effect]:
        """What a card is has been said: unless another one is just so, it is taught."""
        for index, other in enumerate(self._lesson.cards):
            alike = other.facts.value == facts.value and are_alike(other.facts.ports, facts.ports)
            if alike and index != card and other.facts.kind is facts.kind:
                choices = twin_choices(facts, other.facts)
                self.step = Twin(card, facts, index, choices, at=0 if index == self._same else 1)
                return []
        return self._taught(card, facts)

    def _taught(self, card: Subject, facts: CardFacts) -> list[Effect]:
        if isinstance(card, int):
            failed = self._kept(lambda: self._lesson.change(card, facts))
        else:
            failed = self._kept(lambda: self._lesson.add(card, facts))
        return failed or [*self._wait(last=facts), Sound("right")]

    def _kept(self, keeps: Callable[[], None]) -> list[Effect]:
        """Does what is written to the disk; nothing, or what is to be done where that cannot be."""
        try:
            keeps()
            self._accepted.forget_gone()
        except OSError:
            self._wait("not-kept")
            return [Sound("wrong")]
        return []

    def _wait(self, hint: str = "", last: CardFacts | None = None, *, again: bool = False) -> list[Effect]:
        self.step = Waiting(hint, last)
        self._eyes.wait_for_card(again=again or self._has_missed)
        self._has_missed = False
        return []

    # The deck

    def _made(self, taught: TaughtDeck) -> list[Effect]:
        if doubts := self._accepted.left_of(taught.doubts):
            self.step = Doubtful(taught, doubts)
            return [Sound("wrong")]
        return self._to_be_counted(taught)

    def _about_doubt(self, step: Doubtful, button: Button) -> list[Effect]:
        doubt = step.doubt
        if button is Button.ROLL and doubt.reason is not Reason.LOST:
            self._accepted.add(doubt)
        elif button is Button.PASS:
            facts = self._lesson.cards[doubt.card].facts
            # All other indices are others then: what is left is found again once the deck is made anew.
            return self._kept(lambda: self._lesson.remove(doubt.card)) or self._wait("show-again", facts)
        else:
            return []
        if step.at + 1 < len(step.doubts):
            self.step = step._replace(at=step.at + 1)
            return []
        return self._to_be_counted(step.taught)

    def _to_be_counted(self, taught: TaughtDeck) -> list[Effect]:
        counting = Counting(taught, self._sizes)
        if not counting.fits:
            self.step = counting
            return [Sound("turn")]
        return self._keep_deck(taught)

    def _counted(self, step: Counting, button: Button) -> list[Effect]:
        if button is Button.BACK:
            return self._keep_deck(step.taught) if step.fits else self._wait()
        self.step = step.counted(1 if button is Button.ROLL else -1)
        return []

    def _keep_deck(self, taught: TaughtDeck) -> list[Effect]:
        deck = taught.deck
        if failed := self._kept(lambda: self._keep(taught)):
            return failed
        self.step = Finished(deck.size, len(deck.faces))
        return [Sound("end")]
