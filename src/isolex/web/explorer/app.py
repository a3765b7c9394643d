"""The web application: pages, JSON, the lexicon and static files, for this machine only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isolex.core.language import Language
from isolex.errors import UsageError
from isolex.run.folder import LEXICON, LEXICONS
from isolex.web.explorer import api, overview, pages
from isolex.web.explorer.form import Form
from isolex.web.explorer.links import readable
from isolex.web.explorer.lookup import Answer, look_up
from isolex.web.explorer.preparation import Preparation
from isolex.web.explorer.query import NotServedError, Query, by_slug
from isolex.web.explorer.served_space import ServedSpace

TRANSLATIONS, IN_EACH = 10, 5
"""Default numbers of translations on a page of two languages, and in each of several."""

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
    """Refuses requests for other hosts, and adds the security headers to every response.

    A foreign page whose name resolves to this machine (DNS rebinding) still sends its own name.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or refuse it."""
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
            refusal = Response("This server answers to 127.0.0.1 and localhost only.\n", 421)
            await refusal(scope, receive, guarded)


def make_app(spaces: Sequence[ServedSpace], preparation: Preparation) -> ASGIApp:
    """The application that serves some spaces."""
    site = Site(spaces, preparation)
    routes = [
        Route("/", site.home),
        Route("/api/translate", site.translate),
        Route("/api/complete", site.complete),
        Route(f"/{LEXICON}", site.download),
        Mount("/static", StaticFiles(directory=Path(__file__).with_name("static"))),
        Route("/{slug}/", site.word),
        Route(f"/{{slug}}/{LEXICON}", site.download),
        Route(f"/{LEXICONS}/{{name}}", site.download_one),
        Route(f"/{{slug}}/{LEXICONS}/{{name}}", site.download_one),
    ]
    handlers: dict[Any, Any] = {UsageError: site.refuse, 404: site.not_found}
    return Guard(Starlette(routes=routes, exception_handlers=handlers))


@dataclass(frozen=True)
class Site:
    """The response at each address.

    Attributes:
        spaces: The spaces.
        preparation: The preparation of the slow methods.
    """

    spaces: Sequence[ServedSpace]
    preparation: Preparation

    def home(self, request: Request) -> Response:
        """``/``: the list of spaces, or the page of the only one."""
        if len(self.spaces) > 1:
            return HTMLResponse(pages.index_page(self.spaces))
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/{self.spaces[0].slug}/{query}")

    def word(self, request: Request) -> Response:
        """``/SLUG/?word=W``: the page of a word; without a word, some words to try."""
        served, query = by_slug(request.path_params["slug"], self.spaces), _query(request)
        space = served.space
        given = query.language("from", space), query.language("to", space)
        usual = IN_EACH if served.several and given[1] is None else TRANSLATIONS
        k, searched = query.count("k", usual), served.searched(*given)
        form = Form(served, len(self.spaces) > 1, query.word, k, usual, *given)
        if not query.word.strip():
            return HTMLResponse(pages.start_page(form))
        for word, language in product((query.word, query.word.strip()), searched):
            if (row := language.row(word)) is not None:
                return HTMLResponse(self._word_page(form, language, row))
        suggestions = api.suggest(query.word, served, searched)
        return HTMLResponse(pages.unknown_page(form, suggestions), 404)

    def download(self, request: Request) -> Response:
        """``/lexicon.tsv`` and ``/SLUG/lexicon.tsv``."""
        served = self._served(request)
        if served.lexicon is None:
            raise NotServedError(
                f"{served.slug} has no {LEXICON}: write one with `isolex lexicon --out FILE`"
            )
        name = quote(f"{served.slug}.tsv")
        return FileResponse(served.lexicon, media_type="text/tab-separated-values", filename=name)

    def download_one(self, request: Request) -> Response:
        """``/lexicons/A-B.tsv`` and ``/SLUG/lexicons/A-B.tsv``."""
        served = self._served(request)
        raw = request.scope["raw_path"].decode("latin-1")  # names may contain any bytes
        name = unquote(raw, errors="surrogateescape").rpartition("/")[2]
        path = served.lexicons.get(name)
        if path is None:
            raise NotServedError(
                f"{served.slug} has no such lexicon: write it with "
                "`isolex lexicon --from A --to B --out FILE`"
            )
        return FileResponse(path, media_type="text/tab-separated-values", filename=readable(name))

    def translate(self, request: Request) -> Response:
        """``/api/translate``."""
        return api.translate(_query(request), self.spaces, self.preparation)

    def complete(self, request: Request) -> Response:
        """``/api/complete``."""
        return api.complete(_query(request), self.spaces)

    def refuse(self, request: Request, error: Exception) -> Response:
        """A request that cannot be answered, with the reason."""
        status = 404 if isinstance(error, NotServedError) else 400
        return self._problem(request, str(error), status)

    def not_found(self, request: Request, _: Exception) -> Response:
        """An address that does not exist."""
        return self._problem(request, "no such page", 404)

    def _served(self, request: Request) -> ServedSpace:
        """The space that the path or ``dir`` names."""
        slug = request.path_params.get("slug")
        return _query(request).served(self.spaces) if slug is None else by_slug(slug, self.spaces)

    def _word_page(self, form: Form, language: Language, row: int) -> str:
        """The page of a word, for the chosen languages."""
        served, space = form.served, form.served.space
        target = served.chosen(language, form.target)
        if target is not None:
            answer = look_up(space, language, target, row, form.k)
            return pages.word_page(form, answer, self._status(served, answer))
        methods = [space.retrieval.method]
        answers = [
            look_up(space, language, one, row, form.k, methods)
            for one in space
            if one is not language
        ]
        return overview.page(form, answers, [self._status(served, one) for one in answers])

    def _status(self, served: ServedSpace, answer: Answer) -> str:
        """The state of methods that are not ready; they are prepared next."""
        names = answer.source.name, answer.target.name
        if any(column.translations is None for column in answer.columns):
            self.preparation.want(served, *names)
        return self.preparation.status(served, *names)

    def _problem(self, request: Request, what: str, status: int) -> Response:
        if request.url.path.startswith("/api/"):
            return api.as_json({"error": what}, status)
        return HTMLResponse(pages.problem_page(what, self.spaces), status)


def _query(request: Request) -> Query:
    return Query.of(request.scope["query_string"])
