"""``contienda lab``: plan, run, resume and read experiments."""
