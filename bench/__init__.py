"""One benchmark per module, run as ``python -m bench.NAME``; results stand in ``results/``."""
