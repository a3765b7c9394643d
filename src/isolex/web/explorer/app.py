"""The web application: pages, JSON, the lexicon and the static files, for this machine only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isolex.errors import UsageError
from isolex.run.folder import LEXICON
from isolex.web.explorer import api, pages
from isolex.web.explorer.atlas import Atlas
from isolex.web.explorer.preparing import Preparation
from isolex.web.explorer.query import NoSuchMappingError, Query, mapping_of

RESERVED = ("api", "static", LEXICON)
"""What a mapping cannot be called in an address."""
SHOWN = 10
"""Translations on a page, if nothing else is asked for."""
HOSTS = ("127.0.0.1", "localhost", "[::1]")
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
}


class Guard:
    """Lets in who asks this machine by its own name, and sends along what a browser must not do.

    A page elsewhere that lets its name point here (DNS rebinding) still asks by that name.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        host = Headers(scope=scope).get("host", "")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if name.lower() in HOSTS:
            await self.app(scope, receive, guarded)
        else:
            refusal = Response("This page answers to 127.0.0.1 and localhost only.\n", 421)
            await refusal(scope, receive, guarded)


def make_app(atlases: Sequence[Atlas], preparation: Preparation) -> ASGIApp:
    """The application that serves some mappings."""
    site = Site(atlases, preparation)
    routes = [
        Route("/", site.home),
        Route("/api/translate", site.translate),
        Route("/api/complete", site.complete),
        Route(f"/{LEXICON}", site.download),
        Mount("/static", StaticFiles(directory=Path(__file__).with_name("static"))),
        Route("/{slug}/", site.look_up),
        Route(f"/{{slug}}/{LEXICON}", site.download),
    ]
    handlers: dict[Any, Any] = {UsageError: site.refused, 404: site.absent}
    return Guard(Starlette(routes=routes, exception_handlers=handlers))


@dataclass(frozen=True)
class Site:
    """What is answered at each address.

    Attributes:
        atlases: The mappings.
        preparation: Of what some methods need.
    """

    atlases: Sequence[Atlas]
    preparation: Preparation

    @property
    def several(self) -> bool:
        """Whether there is a choice of mappings."""
        return len(self.atlases) > 1

    def home(self, request: Request) -> Response:
        """``/``: the mappings, or the page of the only one."""
        if self.several:
            return HTMLResponse(pages.index(self.atlases))
        asked = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/{self.atlases[0].slug}/{asked}")

    def look_up(self, request: Request) -> Response:
        """``/SLUG/?word=W``: the page of a word, or that to begin with."""
        atlas, query = mapping_of(request.path_params["slug"], self.atlases), _query(request)
        k, reverse = query.count("k", SHOWN), query.reverse
        head = pages.Head(atlas, self.several, query.word, k, reverse)
        if not query.word.strip():
            return HTMLResponse(pages.start(head))
        for word, language in product((query.word, query.word.strip()), atlas.asked(reverse)):
            if word in language.vocabulary:
                found = atlas.answer(word, k, reverse=language.reverse)
                return HTMLResponse(pages.answer(head, found, self.preparation.status(atlas)))
        others = [one for one in atlas.asked(None) if query.word.strip() in one.vocabulary]
        meant = api.alike(query.word, atlas.asked(reverse))
        return HTMLResponse(pages.unknown(head, meant, others), 404)

    def download(self, request: Request) -> Response:
        """``/lexicon.tsv`` and ``/SLUG/lexicon.tsv``."""
        slug = request.path_params.get("slug")
        if slug is None:
            return _lexicon(_query(request).mapping(self.atlases))
        return _lexicon(mapping_of(slug, self.atlases))

    def translate(self, request: Request) -> Response:
        """``/api/translate``."""
        return api.translate(_query(request), self.atlases, self.preparation)

    def complete(self, request: Request) -> Response:
        """``/api/complete``."""
        return api.complete(_query(request), self.atlases)

    def refused(self, request: Request, error: Exception) -> Response:
        """What cannot be done, in one line."""
        status = 404 if isinstance(error, NoSuchMappingError) else 400
        return self._problem(request, str(error), status)

    def absent(self, request: Request, _: Exception) -> Response:
        """An address that leads nowhere."""
        return self._problem(request, "there is no such address here", 404)

    def _problem(self, request: Request, what: str, status: int) -> Response:
        if request.url.path.startswith("/api/"):
            return api.as_json({"error": what}, status)
        return HTMLResponse(pages.problem(what, self.atlases), status)


def _query(request: Request) -> Query:
    return Query.of(request.scope["query_string"])


def _lexicon(atlas: Atlas) -> Response:
    path = atlas.folder / LEXICON
    if not path.is_file():
        raise NoSuchMappingError(
            f"{LEXICON} is no longer in the folder of {atlas.slug}: `isolex lexicon` writes another"
        )
    name = quote(f"{atlas.slug}.tsv")
    return FileResponse(path, media_type="text/tab-separated-values", filename=name)
