"""GigaChat through its official library (the extra ``gigachat``)."""

from __future__ import annotations

import json
from typing import Any

from scoring.generation.catalogue import Channel
from scoring.generation.channels.base import ChannelFault, ChannelUnavailable, Message, Reply, Request
from scoring.generation.tools import ToolCall

_FINISH = {"function_call": "tool_calls", "blacklist": "refusal", "error": "error"}


class GigaChatLine:
    """One client; the library renews its token by itself."""

    def __init__(self, channel: Channel, timeout: float) -> None:
        try:
            import gigachat
        except ImportError:
            raise ChannelUnavailable(
                f"channel {channel.id}: the library is not installed (pip install 'prism-1c[gigachat]')"
            ) from None
        self._exceptions = gigachat.exceptions
        self._client = gigachat.GigaChat(credentials=channel.key(), timeout=timeout, verify_ssl_certs=True)

    def ask(self, request: Request) -> Reply:
        payload: dict[str, Any] = {
            "model": request.model,
            "messages": [_message(message) for message in request.messages],
            **dict(request.parameters),
        }
        if request.tools:
            payload["functions"] = [tool["function"] for tool in request.tools]
        try:
            return _reply(self._client.chat(payload), request.turn)
        except self._exceptions.AuthenticationError:
            raise ChannelFault("auth", "GigaChat refused the credentials") from None
        except self._exceptions.ResponseError as error:
            raise _fault(error) from None
        except OSError as error:
            raise ChannelFault("network", f"no connection: {type(error).__name__}") from None

    def close(self) -> None:
        self._client.close()


def _message(message: Message) -> dict[str, Any]:
    """OpenAI's message → GigaChat's: one call a message, results under the role ``function``."""
    if message["role"] == "tool":
        return {"role": "function", "name": message.get("name", ""), "content": message["content"]}
    calls = message.get("tool_calls")
    if calls:
        function = calls[0]["function"]
        arguments = json.loads(function["arguments"] or "{}")
        return {"role": "assistant", "content": "", "function_call": {"name": function["name"], "arguments": arguments}}
    return {"role": message["role"], "content": message["content"]}


def _reply(completion: Any, turn: int) -> Reply:
    choice = completion.choices[0]
    call = choice.message.function_call
    calls: tuple[ToolCall, ...] = ()
    if call is not None:
        calls = (ToolCall(f"call-{turn}", call.name, json.dumps(call.arguments or {}, ensure_ascii=False)),)
    reason = choice.finish_reason or ""
    return Reply(
        choice.message.content or "", _FINISH.get(reason, reason), calls, completion.usage.prompt_tokens,
        completion.usage.completion_tokens, completion.model or "",
    )  # fmt: skip


def _fault(error: Any) -> ChannelFault:
    status = next((part for part in error.args if isinstance(part, int)), 0)
    kinds = {401: "auth", 402: "payment", 429: "rate"}
    return ChannelFault(kinds.get(status) or ("server" if status >= 500 else "request"), f"HTTP {status}")
