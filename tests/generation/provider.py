"""An OpenAI-compatible endpoint on this machine, as tests and the benchmark need it: it answers as told, faults included,
and keeps every byte that came in. Run as a script it serves plain answers on a port until it is ended."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """One response. `cut`: only so many bytes of the body go out, then the connection is torn; `delay` in seconds."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    cut: int | None = None
    delay: float = 0.0


def completion(
    text: str | None = "", finish: str = "stop", calls: Sequence[tuple[str, str]] = (), usage: Mapping[str, Any] | None = None, **message: Any
) -> Outcome:
    """A regular completion; `calls` are (tool, arguments as text)."""
    said: dict[str, Any] = {"role": "assistant", "content": text, **message}
    if calls:
        said["tool_calls"] = [
            {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(calls)
        ]
        finish = "tool_calls" if finish == "stop" else finish
    value = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "served-model-2026",
        "choices": [{"index": 0, "finish_reason": finish, "message": said}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150} if usage is None else usage,
    }  # fmt: skip
    return Outcome(body=json.dumps(value, ensure_ascii=False).encode())


def fault(status: int, message: str = "no", headers: Mapping[str, str] | None = None, **error: Any) -> Outcome:
    body = json.dumps({"error": {"message": message, "type": "fault", **error}}, ensure_ascii=False).encode()
    return Outcome(status, body, headers or {})


@dataclass(frozen=True)
class Recorded:
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.raw)
        return value

    @property
    def condition(self) -> str:
        return str(self.body["messages"][1]["content"])


Answer = Callable[[dict[str, Any], int], Outcome]


class Provider:
    """`answer(body, number)` makes the response to the request of that number (from 0)."""

    def __init__(self, answer: Answer | None = None, port: int = 0, keep: bool = True) -> None:
        self.answer: Answer = answer or (lambda body, number: completion("```bsl\nОтвет\n```"))
        self.requests: list[Recorded] = []
        self.keep = keep
        self.busy = self.widest = self.count = 0
        self.lock = threading.Lock()
        self.server = _Server(("127.0.0.1", port), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self) -> Provider:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def serve(self, recorded: Recorded) -> Outcome:
        with self.lock:
            number, self.count = self.count, self.count + 1
            if self.keep:
                self.requests.append(recorded)
            self.busy += 1
            self.widest = max(self.widest, self.busy)
        try:
            outcome = self.answer(recorded.body, number)
            time.sleep(outcome.delay)
            return outcome
        finally:
            with self.lock:
                self.busy -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        return  # clients that went away are part of what is tested


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            outcome = provider.serve(Recorded(self.path, {key.lower(): value for key, value in self.headers.items()}, raw))
            head = f"HTTP/1.1 {outcome.status} X\r\nContent-Type: {outcome.content_type}\r\nContent-Length: {len(outcome.body)}\r\n"
            head += "".join(f"{key}: {value}\r\n" for key, value in outcome.headers.items())
            self.wfile.write(head.encode() + b"\r\n" + outcome.body[: outcome.cut])
            if outcome.cut is not None:
                self.wfile.flush()
                self.close_connection = True
                with suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, format: str, *args: Any) -> None:
            return

    return Handler


if __name__ == "__main__":
    text = "```bsl\nФункция Ответ() Экспорт\n\tВозврат 1;\nКонецФункции\n```\n" * 4
    # The benchmark's stand-in: so many seconds of thought, so that the width asked for is really used.
    thinking = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    ready = completion(text)
    outcome = Outcome(ready.status, ready.body, delay=thinking)
    with Provider(lambda body, number: outcome, port=int(sys.argv[1]), keep=False) as served:
        print(served.url, flush=True)
        threading.Event().wait()
