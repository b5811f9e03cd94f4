"""RUN/CHECK files: what ``gpucc check`` finds, runs and reports."""
