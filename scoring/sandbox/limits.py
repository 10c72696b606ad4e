"""The walls around a child: resource limits, no privileges, no network, and a filter of system calls.

What the kernel grants differs between machines; :func:`confine` applies everything it can and says what stands. The
language engine opens no file and no socket by itself: these walls are for the day when somebody finds a way through it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import socket
import struct
from dataclasses import dataclass
from typing import Any

NOBODY = 65534
# Enough for the channel and what Python holds; a child opens nothing.
OPEN_FILES = 64
STACK_BYTES = 512 * 1024 * 1024
# A process answers many requests, and the host's clock stops each; were both bounds alike, chance would say which of them ends a
# loop, and long work spread over several requests would be ended by neither's intent. Processor time only ends what the host forgot.
CPU_ROOM = 10

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP = 1, 4, 38, 22
_SECCOMP_MODE_FILTER = 2
_CLONE_NEWNET, _CLONE_NEWUSER = 0x40000000, 0x10000000
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # SECCOMP_RET_ALLOW; SECCOMP_RET_ERRNO with EPERM

# System calls that a child never needs: (x86_64, aarch64) numbers, None where the machine has none.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None), "socket": (41, 198),
    "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202),
    "accept4": (288, 242), "fork": (57, None), "vfork": (58, None), "clone": (56, 220), "clone3": (435, 435),
    "execve": (59, 221), "execveat": (322, 281), "ptrace": (101, 117), "kill": (62, 129), "tkill": (200, 130),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "unlink": (87, None), "unlinkat": (263, 35),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34),
    "rmdir": (84, None), "link": (86, None), "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36),
    "chmod": (90, None), "fchmodat": (268, 53), "chown": (92, None), "fchownat": (260, 54), "truncate": (76, 45),
    "mknod": (133, None), "mknodat": (259, 33), "mount": (165, 40), "umount2": (166, 39), "chroot": (161, 51),
    "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268), "prlimit64": (302, 261), "setrlimit": (160, 164),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "io_uring_setup": (425, 425),
    "memfd_create": (319, 279), "bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "setuid": (105, 146), "setgid": (106, 144),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Walls:
    """Which walls stand on this machine."""

    network: bool
    privileges: bool
    calls: bool
    stack: bool

    def missing(self) -> tuple[str, ...]:
        """What the kernel refused, for ``doctor``."""
        names = {
            "network": "network namespace",
            "privileges": "separate user",
            "calls": "system call filter",
            "stack": f"a stack of {STACK_BYTES >> 20} MB for deep recursion",
        }
        return tuple(text for key, text in names.items() if not getattr(self, key))


def _libc() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(None, use_errno=True)
    except OSError:
        return None


LIBC = _libc()


def leave_network() -> bool:
    """Move this process into an empty network namespace; True if the kernel allowed it."""
    unshare = getattr(LIBC, "unshare", None)
    if unshare is None:
        return False
    return any(unshare(flags) == 0 for flags in (_CLONE_NEWNET, _CLONE_NEWUSER | _CLONE_NEWNET))


def raise_stack() -> bool:
    """Ask for a deep stack (it takes effect with the next exec); True if the limit had to be changed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
    if soft != resource.RLIM_INFINITY and soft >= wanted:
        return False
    resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    return True


def stack_is_deep() -> bool:
    """Has this process the stack that the deepest allowed recursion needs?"""
    soft = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return soft == resource.RLIM_INFINITY or soft >= STACK_BYTES


def hide_memory() -> None:
    """Close this process to tracing and its memory to reading by others of its user: where it can't change users, its children are."""
    if LIBC is not None and hasattr(LIBC, "prctl"):
        LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def seen() -> dict[str, Any]:
    """What a process sees of the walls around it: its user and privileges, its network's name and where that leads."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    return {
        "user": os.geteuid(),
        "capabilities": max(int(status[f"Cap{which}"], 16) for which in ("Inh", "Prm", "Eff", "Bnd", "Amb")),
        "no_new_privileges": status.get("NoNewPrivs") == "1",
        "network": os.readlink("/proc/self/ns/net"),
        "routes": _routes("/proc/self/net/route") + _routes("/proc/self/net/ipv6_route"),
    }


def _routes(path: str) -> int:
    """Routes that lead anywhere but to this machine itself."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            rows = [line.split() for line in file if not line.startswith("Iface")]
    except OSError:
        return 0
    return sum(1 for row in rows if row and "lo" not in (row[0], row[-1]))


def memory_now() -> int:
    """Bytes of address space that this process has."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def confine(memory: int, seconds: int, filter_program: bytes | None) -> None:
    """Apply every limit to this process. ``memory``: bytes of address space in all; ``seconds``: a request may take."""
    _die_with_parent()
    _drop_privileges()
    _limit(resource.RLIMIT_AS, memory)
    _limit(resource.RLIMIT_CPU, seconds * CPU_ROOM)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NPROC, 0)
    if filter_program is not None:
        apply_filter(filter_program)


def _limit(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (bound, bound))


def _die_with_parent() -> None:
    if LIBC is not None and hasattr(LIBC, "prctl"):
        LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _drop_privileges() -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        _die_with_parent()  # a change of user clears it


def filter_program() -> bytes | None:
    """The filter for this machine's processor, or None where there is none."""
    machine = platform.machine()
    if machine not in _AUDIT_ARCH or not hasattr(LIBC, "prctl"):
        return None
    column = list(_AUDIT_ARCH).index(machine)
    numbers = sorted(number for pair in _REFUSED.values() if (number := pair[column]) is not None)
    load, equal, at_least, give = 0x20, 0x15, 0x35, 0x06
    steps = [(load, 0, 0, 4), (equal, 1, 0, _AUDIT_ARCH[machine]), (give, 0, 0, _REFUSE), (load, 0, 0, 0)]
    if machine == "x86_64":
        steps += [(at_least, 0, 1, 0x40000000), (give, 0, 0, _REFUSE)]  # the x32 twins of every call
    for number in numbers:
        steps += [(equal, 0, 1, number), (give, 0, 0, _REFUSE)]
    steps.append((give, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def apply_filter(program: bytes) -> bool:
    """Install the filter for good. True if the kernel took it."""
    buffer = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    if LIBC is None or LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return LIBC.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.c_char_p(head), 0, 0) == 0


def filter_works(program: bytes | None) -> bool:
    """Try the filter in a child of this process: does it stand, and does it refuse a socket?"""
    if program is None:
        return False
    child = os.fork()
    if child == 0:
        os._exit(0 if apply_filter(program) and _refuses_sockets() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _refuses_sockets() -> bool:
    try:
        socket.socket().close()
    except PermissionError:
        return True
    except OSError:
        return False
    return False
