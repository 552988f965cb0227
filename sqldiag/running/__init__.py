"""Running a policy: every table asked, drift seen, the history kept."""
