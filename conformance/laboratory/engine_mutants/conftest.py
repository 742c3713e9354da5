"""A mutation run limits the memory of its process for good; no other test may have to do with what is left."""

collect_ignore = ["test_cases_alone.py"]
