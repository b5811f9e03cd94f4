"""A corpus of PTX from every compiler that people use, made here and cached."""
