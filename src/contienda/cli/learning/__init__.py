"""``contienda train`` and ``contienda pack``: networks that learn."""
