"""How well `belot identify` names what programs play, tried with programs of which it is known."""
