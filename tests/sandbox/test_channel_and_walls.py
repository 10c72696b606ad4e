"""Frames on the private channel, and the walls that this kernel grants."""

from __future__ import annotations

import os
import resource
import socket
from collections.abc import Callable

import pytest

from scoring.sandbox import limits
from scoring.sandbox.messages import ChannelClosed, ChannelTimeout, MessageTooLarge, encode, receive, send


@pytest.fixture
def channel():
    left, right = socket.socketpair()
    with left, right:
        yield left, right


def test_a_message_arrives_as_it_was_sent(channel):
    left, right = channel
    message = {"op": "тест", "значение": ["n", "1.5"], "одинокий": "\ud800"}
    send(left.fileno(), message)
    assert receive(right.fileno(), timeout=5) == message


def test_a_silent_side_is_a_timeout_and_a_gone_one_is_closed(channel):
    left, right = channel
    with pytest.raises(ChannelTimeout):
        receive(right.fileno(), timeout=0.01)
    left.close()
    with pytest.raises(ChannelClosed):
        receive(right.fileno(), timeout=5)


def test_a_frame_cut_short_is_closed(channel):
    left, right = channel
    left.send(encode({"a": "b"})[:-1])
    left.close()
    with pytest.raises(ChannelClosed):
        receive(right.fileno(), timeout=5)


def test_too_large_a_frame_is_refused_before_it_is_read(channel):
    left, right = channel
    left.send((1 << 31).to_bytes(4, "big"))
    with pytest.raises(MessageTooLarge):
        receive(right.fileno(), limit=1000, timeout=5)


def test_a_frame_that_is_no_object_is_refused(channel):
    left, right = channel
    left.send((2).to_bytes(4, "big") + b"[]")
    with pytest.raises(ChannelClosed):
        receive(right.fileno(), timeout=5)


def inside(action: Callable[[], object]) -> int:
    """Run ``action`` in a confined child; 0 = it worked, 1 = it was refused, else how the child ended."""
    program = limits.filter_program() if limits.filter_works(limits.filter_program()) else None
    pid = os.fork()
    if pid == 0:
        try:
            limits.confine(limits.memory_now() + 256 * 2**20, 5, program)
            action()
            os._exit(0)
        except (OSError, MemoryError, ValueError):
            os._exit(1)
        finally:
            os._exit(3)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


@pytest.mark.parametrize(
    "action",
    [
        fork,
        lambda: os.execv("/bin/true", ["true"]),
        lambda: open("/etc/passwd").close(),
        lambda: open("/tmp/prism-wall", "w").close(),
        lambda: os.unlink("/tmp/prism-none"),
        lambda: os.mkdir("/tmp/prism-wall"),
        lambda: os.kill(os.getppid(), 0),
        lambda: socket.socket().close(),
        lambda: socket.socketpair(),
        lambda: bytearray(512 * 2**20),
        lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)),
        lambda: os.setuid(0),
    ],
    ids=["fork", "exec", "read", "write", "unlink", "mkdir", "kill", "socket", "socketpair", "memory", "rlimit", "setuid"],
)
def test_a_confined_process_can_not(action: Callable[[], object]):
    if not limits.filter_works(limits.filter_program()):
        pytest.skip("this kernel grants no system call filter")
    assert inside(action) == 1


def test_a_confined_process_can_still_compute_and_talk():
    reading, writing = os.pipe()
    assert inside(lambda: os.write(writing, str(sum(range(1000))).encode())) == 0
    assert os.read(reading, 10) == b"499500"


def test_walls_say_what_is_missing():
    assert limits.Walls(True, True, True, True).missing() == ()
    assert "network" in limits.Walls(False, True, False, True).missing()[0]
