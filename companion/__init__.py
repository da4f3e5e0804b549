"""The companion beside the table: it joins the rules, the eye and the devices."""
