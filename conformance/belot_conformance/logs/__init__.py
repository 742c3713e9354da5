"""What was really played: logs read and audited, and a deal told trick by trick."""
