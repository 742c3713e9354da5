"""Tools for those who keep the rules: mutants, recorded cases, the impact of a change, releases, measurements."""
