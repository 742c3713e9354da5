"""What was really played: logs read and audited, and a deal trick by trick."""
