"""Random questions by the rules of a profile: natural ones, contrived ones, and more of what seldom happens."""
