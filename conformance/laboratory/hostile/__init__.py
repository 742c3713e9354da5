"""``make hostile``: hostile files, flags, house rules, programs, servers, reports and signals, drawn by lot."""
