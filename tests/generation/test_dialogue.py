"""One conversation: every way it can end, and the record of it."""

from __future__ import annotations

import hashlib
import json

import pytest

from scoring.generation.catalogue import EditionCard, NetworkCard, ToolLimits
from scoring.generation.channels import ChannelFault, Reply
from scoring.generation.dialogue import Brief, Cell, Dialogue
from scoring.generation.tools import ToolCall
from scoring.strict_yaml import parse
from tests.generation.kit import SPEC

LIMITS = ToolLimits(rounds=3, objects=5, characters=4000, same_call=3, distractors=0)
CONFIGURATION = parse(SPEC, "spec").root
CODE = Reply("код", "stop", tokens_input=10, tokens_output=5, seconds=1.5)


def call(tool="list_objects", /, **arguments):
    return Reply("", "tool_calls", (ToolCall("1", tool, json.dumps(arguments, ensure_ascii=False)),), 3, 2, cost=0.5, seconds=0.5)


def talk(*replies, tools=True, schema=True, category="B", configuration=CONFIGURATION, parameters=None):
    """(attempt, requests) of a conversation in which the network says these things in turn."""
    brief = Brief("B1", category, " Условие ", " Функция Ф() ", configuration)
    network = NetworkCard("Alpha", "alpha", "", "local", tools=tools, parameters=parameters or {})
    edition = EditionCard("core", {}, schema, {"temperature": 0.1, "max_tokens": 9})
    said, requests = iter(replies), []

    def ask(request):
        requests.append(request)
        reply = next(said)
        if isinstance(reply, Exception):
            raise reply
        return reply

    dialogue = Dialogue(Cell(brief, network, edition, 0, 0), "Пиши", LIMITS, ask)
    try:
        return dialogue.run(), requests
    except ChannelFault as fault:
        return dialogue.broken("failed", str(fault)), requests


def test_an_answer_at_once():
    attempt, requests = talk(CODE)
    assert (attempt.status, attempt.text, attempt.requests, attempt.trace) == ("answered", "код", 1, ())
    assert [message["role"] for message in attempt.messages] == ["system", "user", "assistant"]
    assert attempt.messages[1]["content"] == "Условие\n\nСигнатура: Функция Ф()"
    assert requests[0].tools and requests[0].may_call


def test_look_ups_then_code():
    attempt, requests = talk(call(), call("get_object_structure", name="Товары"), call("finish_research", summary="всё"), CODE)
    assert attempt.status == "answered" and attempt.requests == 4
    assert [(served.round, served.name, served.ok, served.object) for served in attempt.trace] == [
        (1, "list_objects", True, ""), (2, "get_object_structure", True, "Справочник.Товары"), (3, "finish_research", True, "")
    ]  # fmt: skip
    assert (attempt.tokens_input, attempt.tokens_output, attempt.cost, attempt.seconds) == (19, 11, 1.5, 3.0)
    assert [message["role"] for message in attempt.messages[2:]] == ["assistant", "tool"] * 3 + ["assistant"]
    assert [request.may_call for request in requests] == [True, True, True, False] and requests[-1].tools


@pytest.mark.parametrize(
    "reply, status",
    [
        (Reply("  \n", "stop"), "empty"),
        (Reply("", ""), "empty"),
        (Reply("Функция", "length"), "truncated"),
        (Reply("Функция", "max_tokens"), "truncated"),
        (Reply("", "content_filter"), "refused"),
        (Reply("", "refusal"), "refused"),
        (Reply("", "error"), "failed"),
        (Reply("код", "eos"), "answered"),
        (Reply("", "length", (ToolCall("1", "list_objects", '{"ki'),)), "truncated"),
    ],
)  # fmt: skip
def test_other_ends_are_kept_apart(reply, status):
    attempt, requests = talk(reply)
    assert attempt.status == status and len(requests) == 1 and attempt.finish_reason == reply.finish_reason


def test_the_same_call_three_times_ends_it_without_paying_for_another_turn():
    attempt, requests = talk(call(), call(), call(), CODE)
    assert attempt.status == "tool_loop" and len(requests) == 3 and len(attempt.trace) == 3
    assert [message["role"] for message in attempt.messages[2:]] == ["assistant", "tool"] * 3


def test_three_equal_calls_in_one_reply_are_a_loop():
    many = Reply("", "tool_calls", tuple(ToolCall(str(n), "list_objects", "{}") for n in range(3)))
    attempt, requests = talk(many, CODE)
    assert attempt.status == "tool_loop" and len(requests) == 1


def test_endless_different_calls_end_as_a_loop_after_the_rounds():
    attempt, requests = talk(*(call("search_objects", query=f"слово{n}") for n in range(50)))
    assert attempt.status == "tool_loop" and len(requests) <= LIMITS.rounds + 1 + LIMITS.same_call
    assert [served.ok for served in attempt.trace][: LIMITS.rounds] == [True] * LIMITS.rounds and not attempt.trace[-1].ok


def test_a_network_that_is_told_the_rounds_are_over_may_still_answer():
    attempt, requests = talk(*(call("search_objects", query=f"слово{n}") for n in range(4)), CODE)
    assert attempt.status == "answered" and not requests[-1].may_call


@pytest.mark.parametrize("given", [{"tools": False}, {"schema": False}, {"configuration": {}}])
def test_without_tools_no_schema_is_shown(given):
    attempt, requests = talk(CODE, **given)
    sent = json.dumps([list(map(dict, request.messages)) for request in requests], ensure_ascii=False) + str(requests[0].tools)
    assert attempt.status == "answered" and not requests[0].tools
    assert "Товары" not in sent and "Остатки" not in sent


def test_calls_that_nobody_offered_are_not_served():
    attempt, requests = talk(call(), tools=False)
    assert attempt.status == "empty" and len(requests) == 1 and attempt.trace == ()


def test_a_fault_in_the_middle_keeps_what_was_said_and_paid():
    attempt, _ = talk(call(), ChannelFault("server", "HTTP 500"))
    assert attempt.status == "failed" and attempt.tokens_input == 3 and attempt.cost == 0.5 and len(attempt.trace) == 1
    assert attempt.error == "HTTP 500" and attempt.messages[-1]["role"] == "tool"


def test_the_networks_own_parameters_stand_over_the_editions():
    attempt, requests = talk(CODE, parameters={"max_tokens": None, "top_k": 5})
    assert requests[0].parameters == attempt.parameters == {"temperature": 0.1, "top_k": 5}


def test_the_hash_can_be_recomputed_and_changes_with_anything_said():
    attempt, _ = talk(call(), CODE)
    record = [list(map(dict, attempt.messages)), attempt.text, dict(attempt.parameters)]
    assert attempt.digest == hashlib.sha256(json.dumps(record, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    other, _ = talk(call(kind=""), CODE)
    assert other.digest != attempt.digest
