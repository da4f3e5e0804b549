"""What happens in a game, one thing at a time, whichever the game. In JSON a step's kind stands under ``step``."""

from __future__ import annotations

import msgspec


class StepName(str):
    """The name of a kind of step, to be told in words."""

    __slots__ = ()


class Step(msgspec.Struct, frozen=True, tag_field="step", omit_defaults=True):
    """One thing that happens at the table."""

    @property
    def name(self) -> StepName:
        """The step's kind, as it stands in a record."""
        return step_name(type(self))


def step_name(kind: type[Step]) -> StepName:
    """The name of a kind of step."""
    return StepName(kind.__struct_config__.tag)
