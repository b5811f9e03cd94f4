"""``python -m gpucc`` is ``gpucc``."""

from gpucc.cli import main

main()
