"""Two caches by data version: built objects inside the process, and whole pages.

`data_version` rises with every change of what the public sees; whatever carries an older number is never asked for again and
falls out of the caches by their size.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from scoring.services.versions import data_version

T = TypeVar("T")
PAGE_SECONDS = 24 * 3600
MOST_OBJECTS = 48
# Pages below this are not worth compressing.
LEAST_COMPRESSED = 400

_objects: OrderedDict[Hashable, Any] = OrderedDict()
_locks: dict[Hashable, threading.Lock] = {}
_guard = threading.Lock()


def built(key: Hashable, build: Callable[[], T]) -> T:
    """The object of `key`, built once per process however many ask at a time. The key must carry the data version."""
    with _guard:
        if key in _objects:
            _objects.move_to_end(key)
            return _objects[key]  # type: ignore[no-any-return]
        lock = _locks.setdefault(key, threading.Lock())
    with lock:
        with _guard:  # or it could fall out between the look and the grasp
            if key in _objects:
                return _objects[key]  # type: ignore[no-any-return]
        value = build()
        with _guard:
            _objects[key] = value
            _locks.pop(key, None)
            while len(_objects) > MOST_OBJECTS:
                _objects.popitem(last=False)
    return value


def forget() -> None:
    """Empties both caches (for tests)."""
    with _guard:
        _objects.clear()
    cache.clear()


def cached_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Keeps whole answers of a public page by address, language and data version; answers `If-None-Match` with 304.

    Only for pages that are the same for every reader. `request.data_version` is set for the view.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        version = data_version()
        request.data_version = version  # type: ignore[attr-defined]
        key = page_key(request, version)
        page = cache.get(key)
        if page is None:
            response = view(request, *args, **kwargs)
            if response.status_code != 200:
                return response
            page = frozen(response)
            cache.set(key, page, PAGE_SECONDS)
        return served(request, page)

    return wrapped


def page_key(request: HttpRequest, version: int) -> str:
    """Host and scheme are part of it: pages hold absolute addresses (API, canonical links)."""
    parts = [settings.SECRET_KEY[:8], str(version), get_language() or "", request.scheme or "", request.get_host(), request.get_full_path()]
    return "page:" + hashlib.sha256("\0".join(parts).encode()).hexdigest()


def frozen(response: HttpResponse) -> dict[str, Any]:
    """What is kept of a response: its body plain and compressed, and the headers that belong to it."""
    body = response.content
    kept = {name: response.headers[name] for name in ("Content-Type", "Content-Disposition") if name in response.headers}
    small = gzip.compress(body, 6, mtime=0) if len(body) >= LEAST_COMPRESSED else b""
    return {"body": body, "gzip": small, "headers": kept, "etag": hashlib.sha256(body).hexdigest()[:32]}


def served(request: HttpRequest, page: dict[str, Any]) -> HttpResponse:
    """A response out of a kept page, compressed where the client takes that."""
    tag = f'W/"{page["etag"]}"'
    if tag in request.headers.get("If-None-Match", ""):
        response = HttpResponse(status=304)
    elif page["gzip"] and "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(page["gzip"], headers={**page["headers"], "Content-Encoding": "gzip"})
    else:
        response = HttpResponse(page["body"], headers=page["headers"])
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ("Accept-Encoding", "Accept-Language", "Cookie"))
    return response
