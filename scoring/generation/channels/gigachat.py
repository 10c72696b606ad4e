"""GigaChat through its official library (the extra ``gigachat``)."""

from __future__ import annotations

import json
from typing import Any

from scoring.generation.catalogue import Channel
from scoring.generation.channels.base import ChannelFault, ChannelUnavailable, Message, Reply, Request, plain_text
from scoring.generation.tools import ToolCall

_FINISH = {"function_call": "tool_calls", "blacklist": "refusal"}
_BY_STATUS = {401: "auth", 403: "auth", 402: "payment", 408: "timeout", 429: "rate"}


class GigaChatLine:
    """One client; the library renews its token by itself. Its proxy is that of the machine: the library takes none."""

    def __init__(self, channel: Channel, timeout: float) -> None:
        try:
            import gigachat
            import httpx
        except ImportError:
            raise ChannelUnavailable(
                f"channel {channel.id}: the library is not installed (pip install 'gigachat>=0.2')"
            ) from None
        self._exceptions = gigachat.exceptions
        self._httpx = httpx
        address = {"base_url": channel.address} if channel.address else {}
        self._client = gigachat.GigaChat(credentials=channel.key(), timeout=timeout, **address)

    def ask(self, request: Request) -> Reply:
        try:
            completion = self._client.chat(_payload(request))
        except self._exceptions.ResponseError as error:
            raise _fault(error) from None
        except self._httpx.TimeoutException:
            raise ChannelFault("timeout", "the provider did not answer in time") from None
        except (self._httpx.HTTPError, OSError) as error:
            raise ChannelFault("network", f"the connection failed: {type(error).__name__}") from None
        except (self._exceptions.GigaChatException, ValueError) as error:
            raise ChannelFault("server", f"the provider sent something that can't be read ({type(error).__name__})") from None
        if not completion.choices:
            raise ChannelFault("server", "the provider sent a completion without choices")
        return _reply(completion, request.turn)

    def close(self) -> None:
        self._client.close()


def _payload(request: Request) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(message) for message in request.messages],
        **dict(request.parameters),
    }
    if request.tools:
        payload["functions"] = [tool["function"] for tool in request.tools]
        payload["function_call"] = "auto" if request.may_call else "none"
    return payload


def _message(message: Message) -> dict[str, Any]:
    """OpenAI's message → GigaChat's: one call a message, results under the role ``function``."""
    if message["role"] == "tool":
        return {"role": "function", "name": message.get("name", ""), "content": message["content"]}
    calls = message.get("tool_calls")
    if calls:
        function = calls[0]["function"]
        return {
            "role": "assistant", "content": message["content"] or "",
            "function_call": {"name": function["name"], "arguments": json.loads(function["arguments"] or "{}")},
        }  # fmt: skip
    return {"role": message["role"], "content": message["content"]}


def _reply(completion: Any, turn: int) -> Reply:
    choice = completion.choices[0]
    call = choice.message.function_call
    calls: tuple[ToolCall, ...] = ()
    if call is not None:
        calls = (ToolCall(f"call_{turn}_0", call.name, json.dumps(call.arguments or {}, ensure_ascii=False)),)
    reason = str(choice.finish_reason or "")
    usage = completion.usage
    return Reply(
        plain_text(choice.message.content), _FINISH.get(reason, reason), calls, usage.prompt_tokens if usage else 0,
        usage.completion_tokens if usage else 0, plain_text(completion.model)[:200],
    )  # fmt: skip


def _fault(error: Any) -> ChannelFault:
    """Only the status: the error's own text holds address and headers."""
    status = int(getattr(error, "status_code", 0) or 0)
    kind = _BY_STATUS.get(status) or ("server" if status >= 500 else "request")
    return ChannelFault(kind, f"HTTP {status}", float(getattr(error, "retry_after", 0) or 0) or None)
