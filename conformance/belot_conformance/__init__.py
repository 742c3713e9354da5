"""A conformance suite for belot programs: cases, a runner, and reports."""
