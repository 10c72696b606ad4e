"""Any OpenAI-compatible endpoint, through the official client: OpenRouter, vLLM, Ollama, Yandex, gateways."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from scoring.generation.catalogue import Channel
from scoring.generation.channels.base import ChannelFault, ChannelUnavailable, Message, Reply, Request, plain_text
from scoring.generation.tools import ToolCall

# A key is demanded by the client even where the endpoint wants none.
NO_KEY = "none"
_BY_STATUS = {401: "auth", 403: "auth", 402: "payment", 408: "timeout", 425: "server", 429: "rate"}
# How long a provider may tell us to wait before we would rather try by our own schedule.
LONGEST_RETRY_AFTER = 600.0
MOST_MESSAGE = 500
# Parameters that the client takes by name; any other goes into the body as it stands.
NAMED = frozenset(
    {"temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "stop", "frequency_penalty", "presence_penalty", "reasoning_effort"}
)
# What providers answer instead of a completion when their filter would not let the question through.
_FILTERED = ("content_filter", "content_policy", "moderation", "flagged")


class OpenAILine:
    """One client, its connections shared by all threads. Retries are ours (``retry``), so the client's are off."""

    def __init__(self, channel: Channel, timeout: float) -> None:
        try:
            import openai
        except ImportError as error:
            raise ChannelUnavailable(f"channel {channel.id}: install the package openai ({error})") from None
        self._openai = openai
        self._prefix = os.environ.get(channel.model_prefix_env, "") if channel.model_prefix_env else ""
        self._secrets = [secret for secret in (channel.key(), channel.proxy) if secret]
        try:
            self._client = openai.OpenAI(
                api_key=channel.key() or NO_KEY,
                base_url=channel.address,
                max_retries=0,
                timeout=timeout,
                # Proxies come from the channel alone, never from the process's environment.
                http_client=openai.DefaultHttpxClient(proxy=channel.proxy or None, trust_env=False),
            )
        except (ValueError, TypeError) as error:
            raise ChannelUnavailable(f"channel {channel.id}: {self._scrubbed(str(error))}") from None

    def ask(self, request: Request) -> Reply:
        try:
            completion = self._client.chat.completions.create(
                model=self._prefix + request.model, messages=_messages(request.messages), **_options(request)
            )
        except self._openai.OpenAIError as error:
            raise self._fault(error) from None
        except ValueError:
            raise ChannelFault("server", "the provider sent something that is no JSON") from None
        try:
            return _reply(completion, request.turn)
        except ChannelFault as fault:
            raise ChannelFault(fault.kind, self._scrubbed(str(fault)), fault.retry_after) from None
        except (AttributeError, TypeError, ValueError, IndexError) as error:
            raise ChannelFault("server", f"the provider sent a completion of another shape ({type(error).__name__})") from None

    def _fault(self, error: Any) -> ChannelFault:
        if isinstance(error, self._openai.APITimeoutError):
            return ChannelFault("timeout", "the provider did not answer in time")
        if isinstance(error, self._openai.APIConnectionError):
            return ChannelFault("network", self._scrubbed(f"the connection failed: {error.__cause__ or error}"))
        status = getattr(error, "status_code", 0) or 0
        kind = _kind(status, getattr(error, "body", None))
        return ChannelFault(kind, self._scrubbed(f"HTTP {status}: {_message(error)}"), _retry_after(error))

    def _scrubbed(self, text: str) -> str:
        """Providers repeat keys in their errors, proxies stand in those of connections: neither is ours to pass on."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text[:MOST_MESSAGE]

    def close(self) -> None:
        self._client.close()


def _messages(messages: Iterable[Message]) -> Any:
    """OpenAI's tool results carry no name; strict gateways refuse one."""
    return [
        {key: value for key, value in message.items() if key != "name"} if message["role"] == "tool" else dict(message)
        for message in messages
    ]


def _options(request: Request) -> dict[str, Any]:
    options: dict[str, Any] = {key: value for key, value in request.parameters.items() if key in NAMED}
    extra = {key: value for key, value in request.parameters.items() if key not in NAMED}
    if extra:
        options["extra_body"] = extra
    if request.tools:
        options["tools"] = list(request.tools)
        if not request.may_call:
            options["tool_choice"] = "none"
    return options


def _kind(status: int, body: Any) -> str:
    if status in (400, 403, 451) and any(word in str(body).lower() for word in _FILTERED):
        return "refused"
    return _BY_STATUS.get(status) or ("server" if status >= 500 else "request")


def _message(error: Any) -> str:
    """What the provider says, without request bodies or headers (they hold the key)."""
    body = getattr(error, "body", None)
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        text = inner.get("message") if isinstance(inner, Mapping) else inner
        return plain_text(text)
    return plain_text(getattr(error, "message", ""))


def _retry_after(error: Any) -> float | None:
    """Seconds to wait as the provider said them, as a number or as a date; at most LONGEST_RETRY_AFTER."""
    response = getattr(error, "response", None)
    value = response.headers.get("retry-after") if response is not None else None
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        seconds = _until(value)
    return min(seconds, LONGEST_RETRY_AFTER) if seconds > 0 else None


def _until(value: str) -> float:
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - datetime.now(UTC)).total_seconds()


def _reply(completion: Any, turn: int) -> Reply:
    choices = getattr(completion, "choices", None)
    if not choices:
        raise _without_choices(completion)
    choice = choices[0]
    usage = completion.usage
    refusal = getattr(choice.message, "refusal", None)
    return Reply(
        text=plain_text(choice.message.content),
        finish_reason="refusal" if refusal else str(choice.finish_reason or ""),
        tool_calls=tuple(_calls(choice.message.tool_calls or (), turn)),
        tokens_input=int(usage.prompt_tokens or 0) if usage else 0,
        tokens_output=int(usage.completion_tokens or 0) if usage else 0,
        model_id=plain_text(completion.model)[:200],
        provider_id=plain_text(completion.id),
        cost=_cost(usage),
    )


def _without_choices(completion: Any) -> ChannelFault:
    """Gateways send errors with HTTP 200 as well: ``{"error": {"code": 429, "message": …}}``."""
    error = getattr(completion, "error", None)
    if not isinstance(error, Mapping):
        return ChannelFault("server", "the provider sent a completion without choices")
    code = error.get("code")
    status = code if isinstance(code, int) else 500
    return ChannelFault(_kind(status, error), f"HTTP 200 with error {code}: {plain_text(error.get('message'))}")


def _calls(calls: Iterable[Any], turn: int) -> Iterable[ToolCall]:
    """Custom calls and calls without a function are none of ours; some servers leave the id out."""
    for place, call in enumerate(calls):
        function = getattr(call, "function", None)
        if function is not None and function.name:
            arguments = function.arguments if isinstance(function.arguments, str) else ""
            yield ToolCall(str(call.id or f"call_{turn}_{place}"), plain_text(function.name), plain_text(arguments))


def _cost(usage: Any) -> float | None:
    """OpenRouter says what it charged; a bool or a text there is no sum."""
    cost = getattr(usage, "cost", None) if usage else None
    return float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) and cost >= 0 else None
