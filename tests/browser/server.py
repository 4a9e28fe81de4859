"""The server that the browser tests talk to."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import forked
from drive import unwarmed


class Server:
    """``contienda web`` in a process of its own; it can be killed and started again on the same port.

    It compiles nothing in advance: the tests ask for a part of it, and wait for that alone.
    """

    def __init__(self, data: Path, *more: str, command: str = "web", environment: dict[str, str] | None = None) -> None:
        self.data = data
        self._command = command
        self.more = more
        self._environment = os.environ | {"COLUMNS": "200", "LANGUAGE": "en"} | (environment or {})
        self.url = ""
        self.start()

    def start(self) -> None:
        port = self.url.rstrip("/").rpartition(":")[2] or "0"
        arguments = ["--port", port, "--data", str(self.data), *self.more]
        self._process = forked.Popen(
            [*unwarmed(command=self._command), *arguments], stdout=subprocess.PIPE, text=True, env=self._environment
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"http://\S+/", line)
            if found:
                self.url = found.group()
                return
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As a power cut does it."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
