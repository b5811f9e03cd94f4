"""Pictures of what the analyses found."""
