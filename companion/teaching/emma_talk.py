"""Asks for Emma: what stands for her is put on a card, seen there, and confirmed."""

from __future__ import annotations

from typing import Literal

from companion.teaching.emma_steps import EmmaShown, EmmaWanted, drawn_emma
from companion.teaching.lesson import Lesson
from companion.teaching.teaching_eyes import EmmaFound, News, TeachingEyes
from hardware.buttons import Button

Goal = Literal["wait", "taught", "learn"]
"""What follows: cards are waited for, now that she is taught or as before, or the deck is made."""


class EmmaTalk:
    """What people say while they are asked for Emma."""

    def __init__(self, lesson: Lesson, eyes: TeachingEyes) -> None:
        self._lesson, self._eyes = lesson, eyes

    def ask(self, *, makes: bool, hint: str = "") -> EmmaWanted:
        """From now on she is looked for; the deck ``makes`` itself afterwards."""
        self._eyes.wait_for_emma()
        return EmmaWanted(makes, hint or ("emma-known" if self._lesson.emma else ""))

    def seen(self, step: EmmaWanted, news: News) -> EmmaWanted | EmmaShown:
        """What is asked once the camera has seen something."""
        if isinstance(news, EmmaFound):
            return EmmaShown(step.makes, news.emma, drawn_emma(news.emma))
        return step._replace(hint=getattr(news, "hint", ""))

    def pressed(self, step: EmmaWanted | EmmaShown, button: Button) -> EmmaWanted | EmmaShown | Goal:
        """What follows a press."""
        if button is Button.BACK:
            return "wait"
        if button is Button.PASS:
            return self.ask(makes=step.makes)
        if button is not Button.ROLL or (isinstance(step, EmmaWanted) and not step.makes):
            return step
        if isinstance(step, EmmaShown):
            try:
                self._lesson.keep_emma(step.emma)
            except OSError:
                return self.ask(makes=step.makes, hint="not-kept")
        return "learn" if step.makes else "taught"
