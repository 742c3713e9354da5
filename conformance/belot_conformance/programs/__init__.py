"""Programs that are asked: the protocol, the ways in, and the runner that survives all of them."""
