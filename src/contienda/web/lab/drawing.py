"""Renders charts in a separate process.

vl-convert holds the GIL while it draws, a tenth of a second for each chart: in the server's process every request would
wait for it. The process reads a chart from each line of its input, writes the SVG as a line of its output, and ends
when its input is closed.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from typing import Any

from contienda.core.language import BadInput

__all__ = ["Drawing"]


class Drawing:
    """The process that draws. It is started with the first chart."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def svg(self, spec: dict[str, Any]) -> str:
        """Return a chart's specification rendered as SVG."""
        line = json.dumps(spec)
        with self._lock:
            for _ in range(2):  # a process that died is restarted, once
                try:
                    answer: dict[str, str] = json.loads(self._ask(line))
                except (OSError, ValueError):
                    self._end()
                    continue
                if "svg" in answer:
                    return answer["svg"]
                break
        raise BadInput("cannot draw this figure")

    def _ask(self, line: str) -> str:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="ascii"
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def main() -> None:
    """Run the drawing process."""
    import vl_convert

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this process
    for line in sys.stdin:
        try:
            answer = {"svg": vl_convert.vegalite_to_svg(json.loads(line))}
        except Exception as error:  # whatever it is, the next chart may work
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
