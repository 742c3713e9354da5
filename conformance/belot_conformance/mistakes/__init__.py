"""Other values of the rules, common mistakes, and what each case notices of them: the kill matrix."""
