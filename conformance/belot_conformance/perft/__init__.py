"""Card perft: counting all sequences of cards from published deals, and dividing down to what a program gets wrong."""
