"""The 40 pins of the Raspberry Pi's header, in two columns: odd numbers inside, even ones at the board's edge."""

from __future__ import annotations

from typing import Final

GPIO_PINS: Final = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The pin of the header at which each GPIO number is."""
GROUND_PINS: Final = (6, 9, 14, 20, 25, 30, 34, 39)
THREE_VOLT_PINS: Final = (1, 17)
FIVE_VOLT_PINS: Final = (2, 4)
SDA_PIN: Final = GPIO_PINS[2]
SCL_PIN: Final = GPIO_PINS[3]
"""Of I²C bus 1, where the screen is."""
