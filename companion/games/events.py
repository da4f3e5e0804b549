"""What comes to the controller, and what it gives back."""

from __future__ import annotations

import msgspec

from companion.games.settings import Change, Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import TableReading


class Pressed(msgspec.Struct, frozen=True):
    """A button was pressed shortly, or held for about a second."""

    button: Button
    held: bool = False


class Seen(msgspec.Struct, frozen=True):
    """The camera has looked."""

    reading: TableReading


class Tick(msgspec.Struct, frozen=True):
    """Time passes: seconds since any fixed moment, never less than before. Ten a second are enough."""

    seconds: float


class Fault(msgspec.Struct, frozen=True):
    """A device does not answer: its name, as ``camera``, and what to do about it in a few words."""

    device: str
    message: str = ""


class Restored(msgspec.Struct, frozen=True):
    """A device answers again."""

    device: str


class Spoken(msgspec.Struct, frozen=True):
    """From now on all is told in this language, one of ``LANGUAGES``; who has posted it keeps it."""

    language: str


class Changed(msgspec.Struct, frozen=True):
    """One of the settings is changed on a page: who hears it uses it, and gives ``Kept`` back."""

    change: Change


class Corrected(msgspec.Struct, frozen=True):
    """Somebody says which card it is: its number and face as a ``TableCard`` told them, and the face that it has.

    Only games listen, and refuse it where the card is taken for another one by now.
    """

    card: int
    was: str
    face: str


class TakenBack(msgspec.Struct, frozen=True):
    """The last thing that people did is taken back, if it is still the moment that the play's ``Present`` named.

    Of two phones that ask at once, or a phone and a button, only one is heard. Only games listen.
    """

    moment: str


class Touched(msgspec.Struct, frozen=True):
    """Somebody touches the table of a page with one of the play's tools (``Present.tools``); only games listen.

    In mm, in the axes of the play's facts; ``to_x_mm`` and ``to_y_mm`` are where the finger was lifted again.
    """

    tool: str
    x_mm: float
    y_mm: float
    to_x_mm: float
    to_y_mm: float


class CardTold(msgspec.Struct, frozen=True):
    """Somebody says what the card is that is being taught; only teaching listens.

    ``asked`` is the number of the question, ``kind`` one of ``vision.cards.Kind``; ``ports`` are edges of the upright
    face with mm from their middle, as in ``vision.cards.Port``. ``is_placed``: somebody has put the rails there, to the
    millimetre; else what was offered is right.
    """

    asked: int
    value: int
    kind: str
    ports: tuple[tuple[str, float], ...]
    is_placed: bool = False


class Opened(msgspec.Struct, frozen=True):
    """Somebody wants what a line of the list of games opens, by its name, as ``teach``; only that list listens."""

    line: str


class Tapped(msgspec.Struct, frozen=True):
    """Somebody taps a line of the list on the screen: its index, what it says, and what stands above the list.

    The loop makes presses of it, if it is still that line of that list; nobody else listens.
    """

    line: int
    text: str
    heading: str


Event = (
    Pressed
    | Seen
    | Tick
    | Fault
    | Restored
    | Spoken
    | Changed
    | Corrected
    | TakenBack
    | Touched
    | CardTold
    | Opened
    | Tapped
)


class Show(msgspec.Struct, frozen=True):
    """This is to be seen from now on; what ``is_private`` only by those at the table."""

    screen: Screen
    is_private: bool = False


class Sound(msgspec.Struct, frozen=True):
    """A short sound: ``right``, ``wrong``, ``dice``, ``turn`` or ``end``. What it means also stands on the screen."""

    name: str


class Kept(msgspec.Struct, frozen=True):
    """The settings have been changed and are to be kept."""

    settings: Settings


class Leave(msgspec.Struct, frozen=True):
    """The game is left for something else: ``dice``, ``new-game`` or ``off``. It can be gone on with later.

    A game that is over may also be left for ``again``: another one of its kind begins at once.
    """

    to: str


Effect = Show | Sound | Kept | Leave
