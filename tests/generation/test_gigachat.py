"""GigaChat's own protocol, over a stand-in with the surface of its library (an extra that need not be installed)."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from scoring.generation.catalogue import Channel
from scoring.generation.channels import ChannelFault, ChannelUnavailable, Request, open_channel
from scoring.generation.tools import DEFINITIONS

CHANNEL = Channel("gigachat", "gigachat", key_env="TEST_GIGACHAT")


class GigaChatException(Exception):
    pass


class ResponseError(GigaChatException):
    def __init__(self, status: int, retry_after: float = 0) -> None:
        self.status_code, self.retry_after = status, retry_after
        super().__init__(f"{status} https://host/secret-token")


class HTTPError(Exception):
    pass


class TimeoutException(HTTPError):
    pass


@pytest.fixture
def line(monkeypatch):
    monkeypatch.setenv("TEST_GIGACHAT", "credentials-71f")
    library, http = ModuleType("gigachat"), ModuleType("httpx")
    library.exceptions = SimpleNamespace(ResponseError=ResponseError, GigaChatException=GigaChatException)
    library.GigaChat = lambda **options: SimpleNamespace(options=options, sent=[], close=lambda: None)
    http.HTTPError, http.TimeoutException = HTTPError, TimeoutException
    monkeypatch.setitem(sys.modules, "gigachat", library)
    monkeypatch.setitem(sys.modules, "httpx", http)
    opened = open_channel(CHANNEL, timeout=7)
    assert opened._client.options == {"credentials": "credentials-71f", "timeout": 7}
    return opened


def says(line, outcome):
    def chat(payload):
        line._client.sent.append(payload)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    line._client.chat = chat
    return line


def completion(content="код", reason="stop", call=None):
    message = SimpleNamespace(content=content, function_call=call)
    usage = SimpleNamespace(prompt_tokens=3, completion_tokens=4)
    return SimpleNamespace(choices=[SimpleNamespace(message=message, finish_reason=reason)], usage=usage, model="GigaChat-2-Max:1")


ASK = Request("GigaChat-2-Max", ({"role": "system", "content": "Пиши"}, {"role": "user", "content": "Условие"}), {"temperature": 0.1})


def test_an_answer(line):
    reply = says(line, completion()).ask(ASK)
    assert (reply.text, reply.finish_reason, reply.tokens_input, reply.tokens_output, reply.model_id) == ("код", "stop", 3, 4, "GigaChat-2-Max:1")
    assert line._client.sent == [{"model": "GigaChat-2-Max", "messages": [dict(message) for message in ASK.messages], "temperature": 0.1}]


def test_functions_go_there_and_back(line):
    call = SimpleNamespace(name="search_objects", arguments={"query": "товар"})
    reply = says(line, completion("", "function_call", call)).ask(Request("m", ASK.messages, {}, DEFINITIONS))
    assert [(one.name, one.arguments) for one in reply.tool_calls] == [("search_objects", '{"query": "товар"}')] and reply.finish_reason == "tool_calls"
    assert [entry["name"] for entry in line._client.sent[0]["functions"]][:2] == ["list_objects", "search_objects"]
    asked = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "search_objects", "arguments": '{"query": "товар"}'}}]}
    told = {"role": "tool", "tool_call_id": "1", "name": "search_objects", "content": '{"objects": []}'}
    says(line, completion()).ask(Request("m", (*ASK.messages, asked, told), {}, DEFINITIONS, may_call=False))
    payload = line._client.sent[1]
    assert payload["messages"][2]["function_call"] == {"name": "search_objects", "arguments": {"query": "товар"}}
    assert payload["messages"][3] == {"role": "function", "name": "search_objects", "content": '{"objects": []}'} and payload["function_call"] == "none"


@pytest.mark.parametrize(
    "outcome, kind",
    [
        (ResponseError(401), "auth"), (ResponseError(402), "payment"), (ResponseError(403), "auth"), (ResponseError(429), "rate"),
        (ResponseError(500), "server"), (ResponseError(422), "request"), (TimeoutException(), "timeout"), (HTTPError(), "network"),
        (OSError(), "network"), (GigaChatException("credentials-71f"), "server"), (ValueError("not JSON"), "server"),
        (SimpleNamespace(choices=[]), "server"),
    ],
)  # fmt: skip
def test_faults(line, outcome, kind):
    with pytest.raises(ChannelFault) as caught:
        says(line, outcome).ask(ASK)
    assert caught.value.kind == kind and "secret" not in str(caught.value) and "71f" not in str(caught.value)


def test_a_filtered_answer_is_a_refusal(line):
    assert says(line, completion("Не люблю менять тему", "blacklist")).ask(ASK).finish_reason == "refusal"


def test_how_long_to_wait(line):
    with pytest.raises(ChannelFault) as caught:
        says(line, ResponseError(429, 12.0)).ask(ASK)
    assert caught.value.retry_after == 12.0


def test_without_the_library_the_cure_is_told(monkeypatch):
    monkeypatch.setenv("TEST_GIGACHAT", "x")
    monkeypatch.setitem(sys.modules, "gigachat", None)
    with pytest.raises(ChannelUnavailable, match="pip install"):
        open_channel(CHANNEL, timeout=1)
