"""Numbers about GPUs: the table of architectures, and occupancy."""
