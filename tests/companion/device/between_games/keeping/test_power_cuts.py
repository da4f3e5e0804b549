"""The power is cut at every moment while a backup is put in place: it is the old one or the new one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.device.between_games.keeping import changing_over
from companion.device.between_games.keeping.changing_over import BEFORE, LOADING, change_over, take_back
from companion.device.between_games.keeping.loading import load
from companion.device.between_games.keeping.saving import saved
from tests.companion.device.between_games.keeping.whole_companion import all_in, made, record_game


class PowerCutError(BaseException):
    """The power is cut."""


class Power:
    """Is cut before the change of the disk with this number."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None
        for owner, name in (
            *((Path, name) for name in ("rename", "replace", "mkdir", "unlink")),
            (changing_over, "write_whole"),
            (changing_over, "sync_folder"),
        ):
            patch.setattr(owner, name, self._counted(getattr(owner, name)))
        patch.setattr(changing_over.shutil, "rmtree", self._removes_half(shutil.rmtree))

    def _counted(self, change: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*words: Any, **more: Any) -> Any:
            self.uses()
            return change(*words, **more)

        return counted

    def _removes_half(self, remove: Callable[..., Any]) -> Callable[..., Any]:
        """A folder is not removed at once."""

        def removed(folder: Path) -> None:
            self.uses()
            for path in sorted(folder.iterdir()):
                remove(path) if path.is_dir() else path.unlink()
            self.uses()
            remove(folder)

        return removed

    def uses(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise PowerCutError


def parted(folder: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What counts, and what was kept aside."""
    everything = all_in(folder)
    aside = {name.removeprefix(f"{BEFORE}/"): data for name, data in everything.items() if name.startswith(BEFORE)}
    return {name: data for name, data in everything.items() if not name.startswith((BEFORE, LOADING))}, aside


@pytest.mark.parametrize("way", ["loaded", pytest.param("loaded again", marks=pytest.mark.further), "taken back"])
def test_it_is_the_old_or_the_new_one_and_the_other_is_kept(way: str, tmp_path: Path) -> None:
    file, start = tmp_path / "saved.zip", tmp_path / "start"
    file.write_bytes(b"".join(saved(made(tmp_path / "new"))))
    start.mkdir()
    record_game(start / "game.jsonl", 5)
    (start / "solo-scores.jsonl").write_bytes((start / "game.jsonl").read_bytes())
    if way != "loaded":
        load(file, start)
        change_over(start)
        (start / "table.json").write_bytes(b"[]")

    def begin(folder: Path) -> None:
        take_back(folder) if way == "taken back" else load(file, folder)

    old, aside = parted(start)
    with pytest.MonkeyPatch.context() as patch:
        power = Power(patch)
        # Of what is written before the power is cut nothing is lost here: it is about the order of the steps.
        patch.setattr("os.fsync", lambda _: None)
        is_cut, at, ends = True, 0, []
        while is_cut:
            folder = tmp_path / f"cut-{at}"
            shutil.copytree(start, folder)
            power.left = at
            try:
                begin(folder)
                change_over(folder)
                is_cut = False
            except PowerCutError:
                # Once more in the middle of what is done about it.
                power.left = at % 7
                try:
                    change_over(folder)
                except PowerCutError:
                    power.left = None
                    change_over(folder)
            power.left = None
            ends.append(parted(folder))
            assert not change_over(folder)
            assert not (folder / LOADING).exists()
            shutil.rmtree(folder)
            at += 1
    new = ends[-1]
    assert new[1] == old
    assert new[0] != old
    assert [end for end in ends if end not in ((old, aside), new)] == []
    assert ends[0] == (old, aside)
    assert at > 15
