"""Every fault of a provider, over a real connection to a local endpoint: what it becomes, and that no key gets out."""

from __future__ import annotations

import json
import logging
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from scoring.generation.channels import ChannelFault, ChannelUnavailable, Request, open_channel
from scoring.generation.tools import DEFINITIONS
from tests.generation.kit import KEY
from tests.generation.provider import Outcome, completion, fault

ASK = Request("alpha-1", ({"role": "system", "content": "Пиши код."}, {"role": "user", "content": "Условие"}), {"temperature": 0.1})


# Answers come as soon as this machine gets to it: no time-out of ours cuts them off.
PATIENCE = 120


@pytest.fixture
def line(cards):
    opened = open_channel(cards.channels["local"], timeout=PATIENCE)
    yield opened
    opened.close()


def failing(line, provider, outcome):
    provider.answer = lambda body, number: outcome
    with pytest.raises(ChannelFault) as caught:
        line.ask(ASK)
    assert provider.count == 1, "the client tried again by itself"
    return caught.value


def test_an_answer_comes_with_its_facts(line, provider):
    usage = {"prompt_tokens": 7, "completion_tokens": 9, "total_tokens": 16, "cost": 0.0125}
    provider.answer = lambda body, number: completion("Ответ", usage=usage)
    reply = line.ask(ASK)
    assert (reply.text, reply.finish_reason, reply.model_id) == ("Ответ", "stop", "served-model-2026")
    assert (reply.tokens_input, reply.tokens_output, reply.cost) == (7, 9, 0.0125)
    sent = provider.requests[0]
    assert sent.path == "/v1/chat/completions" and sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.body == {"model": "alpha-1", "messages": [dict(message) for message in ASK.messages], "temperature": 0.1}


FAULTS = {
    "401": (fault(401, "no such key"), "auth", False),
    "403": (fault(403, "no"), "auth", False),
    "403 moderation": (fault(403, "input was flagged", metadata={"reasons": ["violence"]}), "refused", False),
    "400 content filter": (fault(400, "filtered", code="content_filter"), "refused", False),
    "402": (fault(402, "no credits"), "payment", False),
    "400": (fault(400, "bad"), "request", False),
    "404": (fault(404, "no such model"), "request", False),
    "408": (fault(408, "slow"), "timeout", True),
    "429": (fault(429, "slow down"), "rate", True),
    "500": (fault(500, "oops"), "server", True),
    "502 with a page": (Outcome(502, b"<html>Bad gateway</html>", content_type="text/html"), "server", True),
    "503": (fault(503, "busy"), "server", True),
    "cut in the body": (Outcome(200, completion("x" * 2000).body, cut=100), "network", True),
    "cut at once": (Outcome(200, completion("x").body, cut=0), "network", True),
    "malformed JSON": (Outcome(200, b'{"choices": [{'), "server", True),
    "a page instead": (Outcome(200, b"<html>hello</html>", content_type="text/html"), "server", True),
    "empty body": (Outcome(200, b""), "server", True),
    "null": (Outcome(200, b"null"), "server", True),
    "a list": (Outcome(200, b"[]"), "server", True),
    "no choices": (Outcome(200, b'{"id": "1", "object": "chat.completion", "model": "m"}'), "server", True),
    "empty choices": (Outcome(200, b'{"id": "1", "choices": [], "model": "m"}'), "server", True),
    "null choices": (Outcome(200, b'{"id": "1", "choices": null, "model": "m"}'), "server", True),
    "no message": (Outcome(200, b'{"id": "1", "choices": [{"index": 0, "finish_reason": "stop"}], "model": "m"}'), "server", True),
    "429 inside 200": (Outcome(200, b'{"error": {"code": 429, "message": "slow down"}}'), "rate", True),
    "402 inside 200": (Outcome(200, b'{"error": {"code": 402, "message": "no credits"}}'), "payment", False),
    "text code inside 200": (Outcome(200, b'{"error": {"code": "overloaded", "message": "later"}}'), "server", True),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_becomes_its_kind(line, provider, name):
    outcome, kind, retryable = FAULTS[name]
    found = failing(line, provider, outcome)
    assert (found.kind, found.retryable) == (kind, retryable), str(found)


def test_silence_is_a_time_out(cards, provider):
    arrived, over = threading.Event(), threading.Event()

    def silent(body, number):
        arrived.set()
        over.wait(PATIENCE)
        return completion("x")

    provider.answer = silent
    line = open_channel(cards.channels["local"], timeout=0.2)
    try:
        with pytest.raises(ChannelFault) as caught:
            line.ask(ASK)
        assert (caught.value.kind, caught.value.retryable) == ("timeout", True), str(caught.value)
        assert arrived.wait(PATIENCE) and provider.count == 1, "the client tried again by itself"
    finally:
        over.set()
        line.close()


def test_nobody_there_is_a_fault_of_the_network(make_catalogue, provider, monkeypatch):
    channel = make_catalogue(channels_yaml='channels:\n  local: {kind: openai, base_url: "http://127.0.0.1:1/v1"}\n  keyless: {kind: replay}\n').channels["local"]
    with pytest.raises(ChannelFault) as caught:
        open_channel(channel, timeout=PATIENCE).ask(ASK)
    assert caught.value.kind == "network"


@pytest.mark.parametrize("value, low, high", [("7", 7, 7), ("0.5", 0.5, 0.5), ("9999999", 600, 600), ("-3", None, None), ("soon", None, None)])
def test_retry_after_in_seconds(line, provider, value, low, high):
    found = failing(line, provider, fault(429, headers={"Retry-After": value}))
    assert found.retry_after == low


def test_retry_after_as_a_date(line, provider):
    moment = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=500)
    before = datetime.now(UTC)
    found = failing(line, provider, fault(503, headers={"Retry-After": format_datetime(moment, usegmt=True)}))
    left = [(moment - now).total_seconds() for now in (datetime.now(UTC), before)]
    assert left[0] <= found.retry_after <= left[1]


def test_what_ended_the_answer_is_kept(line, provider):
    provider.answer = lambda body, number: completion("Полов", finish="length")
    assert line.ask(ASK).finish_reason == "length"
    provider.answer = lambda body, number: completion(None, finish="content_filter")
    assert (line.ask(ASK).finish_reason, line.ask(ASK).text) == ("content_filter", "")
    provider.answer = lambda body, number: completion(None, refusal="I can't")
    assert line.ask(ASK).finish_reason == "refusal"


def test_tool_calls_come_as_text_even_malformed_or_nameless(line, provider):
    provider.answer = lambda body, number: completion(None, calls=[("list_objects", '{"kind":'), ("", "{}")])
    reply = line.ask(ASK)
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [("call_0", "list_objects", '{"kind":')]
    value = json.loads(completion(None, calls=[("list_objects", "{}")]).body)
    value["choices"][0]["message"]["tool_calls"][0]["id"] = ""
    provider.answer = lambda body, number: Outcome(body=json.dumps(value).encode())
    assert [call.id for call in line.ask(ASK).tool_calls] == ["call_0_0"]


def test_odd_usage_is_no_fault(line, provider):
    for usage in ({}, {"prompt_tokens": None, "completion_tokens": None, "total_tokens": 0, "cost": "free"}):
        provider.answer = lambda body, number, usage=usage: completion("Ответ", usage=usage)
        reply = line.ask(ASK)
        assert (reply.tokens_input, reply.tokens_output, reply.cost) == (0, 0, None)


def test_text_is_made_fit_for_every_database(line, provider):
    provider.answer = lambda body, number: Outcome(body=completion("").body.replace(b'"content": ""', b'"content": "A\\u0000\\ud800B\\ud83d\\ude00"'))
    text = line.ask(ASK).text
    assert "\0" not in text and text.startswith("A") and text.endswith("B😀")
    text.encode("utf-8")


def test_tools_and_odd_parameters_travel_as_providers_want_them(line, provider):
    messages = (*ASK.messages, {"role": "tool", "tool_call_id": "1", "name": "list_objects", "content": "{}"})
    line.ask(Request("m", messages, {"top_k": 5, "max_tokens": 10}, DEFINITIONS, may_call=False))
    body = provider.requests[0].body
    assert body["top_k"] == 5 and body["max_tokens"] == 10 and body["tool_choice"] == "none" and len(body["tools"]) == 4
    assert body["messages"][-1] == {"role": "tool", "tool_call_id": "1", "content": "{}"}


# -- keys and proxies ---------------------------------------------------------------------------------------------------


def test_a_provider_that_repeats_the_key_does_not_get_it_out(line, provider, caplog):
    caplog.set_level(logging.DEBUG)
    for outcome in (fault(401, f"Incorrect API key: {KEY}"), Outcome(200, json.dumps({"error": {"code": 401, "message": KEY}}).encode())):
        provider.count = 0
        found = failing(line, provider, outcome)
        assert KEY not in str(found) and "***" in str(found)
        assert KEY not in repr(found) and found.__cause__ is None
    assert KEY not in caplog.text


def test_a_missing_key_names_the_variable(cards, monkeypatch):
    monkeypatch.delenv("TEST_PROVIDER_KEY")
    with pytest.raises(ChannelUnavailable, match="TEST_PROVIDER_KEY"):
        open_channel(cards.channels["local"], timeout=1)


def test_keys_are_in_no_representation_of_the_catalogue(cards):
    assert KEY not in repr(cards)


def test_the_proxy_of_the_channel_is_used_and_its_password_kept(cards, provider, monkeypatch):
    monkeypatch.setenv("TEST_PROVIDER_PROXY", "http://user:pa55word@127.0.0.1:1")
    with pytest.raises(ChannelFault) as caught:
        open_channel(cards.channels["local"], timeout=PATIENCE).ask(ASK)
    assert caught.value.kind == "network" and "pa55word" not in str(caught.value) and provider.count == 0


def test_a_proxy_that_is_no_address_is_told_without_its_text(cards, monkeypatch):
    monkeypatch.setenv("TEST_PROVIDER_PROXY", "gopher://user:pa55word@x")
    with pytest.raises(ChannelUnavailable) as caught:
        open_channel(cards.channels["local"], timeout=PATIENCE)
    assert "local" in str(caught.value) and "pa55word" not in str(caught.value)


def test_the_machines_own_proxy_is_not_used(line, provider, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert line.ask(ASK).text


def test_a_channel_without_key_and_with_its_own_address(cards, provider, monkeypatch):
    line = open_channel(cards.channels["keyless"], timeout=PATIENCE)
    assert line.ask(ASK).text and KEY not in str(provider.requests[0].headers)
