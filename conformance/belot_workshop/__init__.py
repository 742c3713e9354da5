"""Tools for those who keep the rules: new variants, mutants, recorded cases, the impact of a change, releases."""
