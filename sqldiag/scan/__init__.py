"""What columns probably are, and how coarse they would have to be: from counts alone."""
