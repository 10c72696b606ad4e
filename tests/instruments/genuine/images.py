"""Images for tests, made from this machine's own files; none is pulled, none is an instrument.

A Python, its libraries and a busybox as one imported layer; on top of it the stand-ins of 1C and OneScript, and our engine.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3.11"
LIBRARY = Path("/usr/lib/python3.11")
SKIPPED = {"test", "tests", "idlelib", "tkinter", "ensurepip", "lib2to3", "pydoc_data", "distutils", "turtledemo"}
BUSYBOX = "/bin/busybox"
APPLETS = ("sh", "cp", "rm", "mkdir", "cat", "timeout", "echo", "sleep", "env", "yes", "dd", "wget", "id", "touch")


def lacking() -> str:
    """What this machine lacks for building the images, "" where it has all."""
    if not Path(PYTHON).is_file() or not LIBRARY.is_dir():
        return f"no {PYTHON}"
    if not Path(BUSYBOX).is_file():
        return "no busybox (Debian's busybox-static)"
    return ""


def build(client: Any, tag: str, labels: dict[str, str], files: dict[str, Path], programs: dict[str, str]) -> None:
    """Import an image ``tag``: Python, busybox, ``files`` (inside → folder or file of ours) and ``programs`` (name → script)."""
    changes = [f"LABEL {key}={value}" for key, value in labels.items()] + ["ENV PATH=/usr/bin:/bin"]
    with tempfile.TemporaryDirectory(prefix="prism-image-") as place:
        source = _archive(compiled(files, Path(place)), programs)
    result = client.api.import_image(src=source, repository=tag.partition(":")[0], tag="latest", changes=changes)
    if "error" in str(result):
        raise RuntimeError(result)


def compiled(files: dict[str, Path], place: Path, python: str = PYTHON) -> dict[str, Path]:
    """Copies with their compiled modules beside them: a container is started dozens of times and keeps none."""
    copies = {}
    for number, (inside, path) in enumerate(files.items()):
        copies[inside] = place / str(number) / path.name
        if path.is_dir():
            shutil.copytree(path, copies[inside], ignore=shutil.ignore_patterns("__pycache__"))
        else:
            copies[inside].parent.mkdir()
            shutil.copy2(path, copies[inside])
    # By content, so that no clock of a copy's makes them stale. What does not compile is left to whoever imports it.
    subprocess.run([python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", place], stdout=subprocess.DEVNULL)
    return copies


def _archive(files: dict[str, Path], programs: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        # Folders that an archive does not name would be closed to everyone but root.
        for folder in (".", "bin", "lib", "lib/x86_64-linux-gnu", "lib64", "usr", "usr/bin", "usr/lib", "usr/lib/x86_64-linux-gnu", "opt",
                       "opt/stand-in", "opt/stand-in/scoring", "opt/prism", "tmp", "work", "cached", "proc", "dev", "sys", "etc", "run"):
            _folder(archive, folder)
        for path in _needed(PYTHON) | _extension_needs():
            _add(archive, path, path)
        archive.add(LIBRARY, LIBRARY.as_posix().lstrip("/"), filter=_wanted)
        _add(archive, BUSYBOX, "/bin/busybox")
        for applet in APPLETS:
            _link(archive, f"bin/{applet}", "busybox")
        _link(archive, "usr/bin/python3", "python3.11")
        for inside, path in files.items():
            archive.add(path, inside.lstrip("/"), filter=_wanted)
        for name, text in programs.items():
            _text(archive, f"bin/{name}", text)
    return buffer.getvalue()


def _needed(program: str) -> set[str]:
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return {program, *(word for word in listed.split() if word.startswith("/"))}


def _extension_needs() -> set[str]:
    found: set[str] = set()
    for path in (LIBRARY / "lib-dynload").glob("*.so"):
        if path.name.startswith(("_hashlib", "_ctypes.", "_bz2", "_lzma", "_json", "_decimal", "mmap", "_uuid")):
            found |= _needed(str(path)) - {str(path)}
    return found


def _wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    parts = set(entry.name.split("/"))
    entry.uid = entry.gid = 0
    is_foreign = "__pycache__" in parts and entry.isfile() and ".cpython-311." not in entry.name
    return None if parts & SKIPPED or is_foreign else entry


def _add(archive: tarfile.TarFile, path: str, inside: str) -> None:
    real = Path(path).resolve()
    entry = archive.gettarinfo(str(real), inside.lstrip("/"))
    entry.uid = entry.gid = 0
    with real.open("rb") as file:
        archive.addfile(entry, file)


def _folder(archive: tarfile.TarFile, name: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name in ("tmp", "work") else 0o755
    archive.addfile(entry)


def _link(archive: tarfile.TarFile, name: str, target: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, target, 0o777
    archive.addfile(entry)


def _text(archive: tarfile.TarFile, name: str, text: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(text.encode()), 0o755
    archive.addfile(entry, io.BytesIO(text.encode()))


def build_onec(client: Any, tag: str) -> None:
    """The stand-in of 1C: ``1cv8t`` that runs our engine over the dump."""
    files = {
        "/opt/stand-in/scoring/engine": ROOT / "scoring" / "engine",
        "/opt/stand-in/scoring/__init__.py": ROOT / "scoring" / "__init__.py",
        "/opt/stand-in/dumpreader.py": HERE / "onec" / "dumpreader.py",
        "/opt/stand-in/1cv8t.py": HERE / "onec" / "1cv8t.py",
        "/opt/stand-in/stand_in_session.py": HERE / "onec" / "stand_in_session.py",
    }
    program = "#!/bin/sh\nexec /usr/bin/python3.11 -B -E /opt/stand-in/1cv8t.py \"$@\"\n"
    labels = {"prism.onec.version": "8.3.27.0-stand-in", "prism.stand-in": "1"}
    build(client, tag, labels, files, {"1cv8t": program})


def build_oscript(client: Any, tag: str, labelled: bool = True) -> None:
    """The stand-in of OneScript: ``oscript`` that runs our engine. ``labelled``: it says that it is test material."""
    files = {
        "/opt/stand-in/scoring/engine": ROOT / "scoring" / "engine",
        "/opt/stand-in/scoring/__init__.py": ROOT / "scoring" / "__init__.py",
        "/opt/stand-in/oscript.py": HERE / "oscript.py",
    }
    program = "#!/bin/sh\nexec /usr/bin/python3.11 -B -E /opt/stand-in/oscript.py \"$@\"\n"
    build(client, tag, {"prism.stand-in": "1"} if labelled else {"prism.test": "1"}, files, {"oscript": program})


def build_sandbox(client: Any, tag: str) -> None:
    """A Python with our package, for the built-in engine's worker."""
    import yaml

    files = {"/opt/prism/scoring": ROOT / "scoring", "/opt/prism/yaml": Path(yaml.__file__).parent}
    build(client, tag, {"prism.test": "1"}, files, {})


WORKER = "/opt/prism/scoring/sandbox/worker"
FAULTS = {
    "package": "rm -rf /opt/prism/scoring",
    "python": "rm /usr/bin/python3",
    "death": f"rm -rf {WORKER}/__pycache__; echo 'raise SystemExit(\"this worker gives up\")' > {WORKER}/__main__.py",
    "silence": f"rm -rf {WORKER}/__pycache__; echo > {WORKER}/__main__.py",
    "age": "echo '# A line that ours has not.' >> /opt/prism/scoring/engine/errors.py",
}


def build_faulty(client: Any, box: str, tag: str, fault: str) -> None:
    """An image that can't serve as the sandbox, made from one that can."""
    container = client.containers.create(box, ["/bin/sh", "-c", FAULTS[fault]], network_mode="none")
    try:
        container.start()
        container.wait(timeout=60)
        container.commit(repository=tag, tag="latest")
    finally:
        container.remove(force=True)


def start_daemon(folder: Path) -> tuple[subprocess.Popen[bytes], str] | None:
    """A daemon of our own below ``folder`` (root and Debian's docker.io needed); None where none can run."""
    program = shutil.which("dockerd")
    if program is None or os.geteuid() != 0:
        return None
    # The daemon takes the best storage it can: overlay2, or vfs, which copies the whole image for each container.
    address = f"unix://{folder}/docker.sock"
    command = [
        program, "--bridge=none", "--iptables=false", "--ip6tables=false", "--data-root", f"{folder}/data",
        "--exec-root", f"{folder}/exec", "-H", address, "-p", f"{folder}/pid", "--log-level", "error",
    ]  # fmt: skip
    log = (folder / "daemon.log").open("wb")
    return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True), address
