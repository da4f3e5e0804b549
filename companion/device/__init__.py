"""The companion from being switched on to being switched off: lobby, games, dice, and the devices they run on."""
