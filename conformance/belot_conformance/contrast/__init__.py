"""What tells two sets of rules apart: questions that they answer otherwise, and proofs that there are none."""
