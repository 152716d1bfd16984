"""Publishes frames over HTTP: `/frames?after=SEQ` answers JSON lines, `/health` answers `ok`."""

from __future__ import annotations

from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from .config import Settings
from .frames import Frame, encode
from .pipeline import run_pipeline


def frames_after(frames: deque[Frame], after: int) -> str:
    """The frames with a number above `after`, one a line; empty when there are none."""
    return "".join(encode(frame) + "\n" for frame in frames if frame["seq"] > after)


def make_server(settings: Settings) -> ThreadingHTTPServer:
    frames: deque[Frame] = deque(run_pipeline(settings), maxlen=settings.keep_frames)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            if url.path == "/health":
                self._answer(200, "text/plain", "ok")
            elif url.path == "/frames":
                after = parse_qs(url.query).get("after", ["0"])[0]
                if after.isdigit():
                    self._answer(200, "application/x-ndjson", frames_after(frames, int(after)))
                else:
                    self._answer(400, "text/plain", "after must be a number")
            else:
                self._answer(404, "text/plain", "not here")

        def _answer(self, status: int, kind: str, body: str) -> None:
            payload = body.encode("utf-8")
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet: the studio's computer has a small disk."""

    return ThreadingHTTPServer((settings.host, settings.port), Handler)


def serve(settings: Settings) -> None:
    with make_server(settings) as server:
        server.serve_forever()
