"""What a run is told as: for people, for machines, against a list of expected failures, against an earlier run."""
