"""Any OpenAI-compatible endpoint, through the official client: OpenRouter, vLLM, Ollama, Yandex, gateways."""

from __future__ import annotations

import os
from typing import Any

from scoring.generation.catalogue import Channel
from scoring.generation.channels.base import ChannelFault, ChannelUnavailable, Reply, Request
from scoring.generation.tools import ToolCall

# A key is demanded by the client even where the endpoint wants none.
NO_KEY = "none"
_BY_STATUS = {401: "auth", 403: "auth", 402: "payment", 408: "timeout", 429: "rate"}
# How long a provider may tell us to wait before we would rather try by our own schedule.
LONGEST_RETRY_AFTER = 600.0


class OpenAILine:
    """One client, its connections shared by all threads. Retries are ours (``retry``), so the client's are off."""

    def __init__(self, channel: Channel, timeout: float) -> None:
        try:
            import openai
        except ImportError as error:
            raise ChannelUnavailable(f"channel {channel.id}: install the package openai ({error})") from None
        self._openai = openai
        self._prefix = os.environ.get(channel.model_prefix_env, "") if channel.model_prefix_env else ""
        self._client = openai.OpenAI(
            api_key=channel.key() or NO_KEY,
            base_url=channel.address,
            max_retries=0,
            timeout=timeout,
            # Proxies come from the channel alone, never from the process's environment.
            http_client=openai.DefaultHttpxClient(proxy=channel.proxy or None, trust_env=False),
        )

    def ask(self, request: Request) -> Reply:
        parameters = dict(request.parameters)
        if request.tools:
            parameters["tools"] = list(request.tools)
        try:
            completion = self._client.chat.completions.create(
                model=self._prefix + request.model, messages=list(request.messages), **parameters  # type: ignore[arg-type]
            )
        except self._openai.OpenAIError as error:
            raise self._fault(error) from None
        return _reply(completion)

    def _fault(self, error: Any) -> ChannelFault:
        if isinstance(error, self._openai.APITimeoutError):
            return ChannelFault("timeout", "the provider did not answer in time")
        if isinstance(error, self._openai.APIConnectionError):
            return ChannelFault("network", f"no connection: {error.__cause__ or error}")
        status = getattr(error, "status_code", 0) or 0
        kind = _BY_STATUS.get(status) or ("server" if status >= 500 else "request")
        return ChannelFault(kind, f"HTTP {status}: {_message(error)}", _retry_after(error))

    def close(self) -> None:
        self._client.close()


def _message(error: Any) -> str:
    """What the provider says, without request bodies or headers (they hold the key)."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        text = inner.get("message") if isinstance(inner, dict) else inner
        return str(text or "")[:500]
    return str(getattr(error, "message", "") or "")[:500]


def _retry_after(error: Any) -> float | None:
    response = getattr(error, "response", None)
    value = response.headers.get("retry-after") if response is not None else None
    try:
        return min(float(value), LONGEST_RETRY_AFTER) if value else None
    except ValueError:
        return None


def _reply(completion: Any) -> Reply:
    choices = getattr(completion, "choices", None)
    if not choices:
        raise ChannelFault("server", "the provider sent a completion without choices")
    choice = choices[0]
    usage = completion.usage
    calls = tuple(
        ToolCall(call.id, call.function.name, call.function.arguments or "")
        for call in choice.message.tool_calls or ()
        if getattr(call, "function", None)
    )
    refusal = getattr(choice.message, "refusal", None)
    return Reply(
        text=choice.message.content or "",
        finish_reason="refusal" if refusal else choice.finish_reason or "",
        tool_calls=calls,
        tokens_input=(usage.prompt_tokens or 0) if usage else 0,
        tokens_output=(usage.completion_tokens or 0) if usage else 0,
        model_id=completion.model or "",
        provider_id=completion.id or "",
        cost=getattr(usage, "cost", None) if usage else None,
    )
