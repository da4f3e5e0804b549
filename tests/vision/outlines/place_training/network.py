"""The network that sees cards and Emma in a small picture of a table, whatever deck is played with."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

CHANNELS: Final = 11
"""What it says of a cell, in order: those of ``Lesson``."""


class Conv(nn.Sequential):
    def __init__(self, ins: int, outs: int, stride: int = 1, dilation: int = 1) -> None:
        super().__init__(
            nn.Conv2d(ins, outs, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outs), nn.ReLU(inplace=True)
        )


class Residual(nn.Module):
    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = Conv(width, width, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class PlaceNetwork(nn.Module):
    """From a picture (n × 3 × h × w: B, G, R, 0 to 1; sides that 16 divides) to cells (n × CHANNELS × h/8 × w/8)."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(Conv(3, 16, 2), Conv(16, 24, 2), Conv(24, 24))
        self.middle = nn.Sequential(Conv(24, 48, 2), Residual(48), Residual(48))
        self.coarse = nn.Sequential(Conv(48, 64, 2), Residual(64), Residual(64, 2), Residual(64, 2))
        self.joined = nn.Sequential(nn.Conv2d(112, 48, 1, bias=False), nn.BatchNorm2d(48), nn.ReLU(inplace=True))
        head = nn.Conv2d(48, CHANNELS, 1)
        self.last = nn.Sequential(Residual(48), head)
        with torch.no_grad():
            head.bias[:2] = -4.0  # few cells hold the middle of a card

    def forward(self, picture: Tensor) -> Tensor:
        middle = self.middle(self.fine(picture))
        coarse = nn.functional.interpolate(self.coarse(middle), scale_factor=2.0, mode="nearest")
        return self.last(self.joined(torch.cat([middle, coarse], 1)))
