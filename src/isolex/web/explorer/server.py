"""The server: a port of the loopback interface, and one process that answers there."""

from __future__ import annotations

import errno
import socket
from typing import TYPE_CHECKING

from isolex.errors import UsageError
from isolex.kernels.parallel import single_threaded_blas

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HOST = "127.0.0.1"
BACKLOG = 128


def reserve(port: int) -> socket.socket:
    """A port of this machine, not yet open to anybody; any free one for zero."""
    # With the protocol named, asyncio sends without delay: else an answer may wait 40 ms.
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((HOST, port))
    except OSError as error:
        taken.close()
        raise _refuse(port, error) from error
    return taken


def open_up(taken: socket.socket) -> str:
    """Let who asks wait in line from now on; returns where a browser finds it."""
    port = taken.getsockname()[1]
    try:
        taken.listen(BACKLOG)
    except OSError as error:  # two that began together may both have bound it
        raise _refuse(port, error) from error
    return f"http://{HOST}:{port}/"


def _refuse(port: int, error: OSError) -> UsageError:
    why = {
        errno.EADDRINUSE: "taken by another program",
        errno.EACCES: "not to be had without special rights",
    }.get(error.errno or 0, str(error.strerror))
    return UsageError(
        f"port {port} is {why}: choose another with --port, or a free one with --port 0"
    )


def serve(app: ASGIApp, taken: socket.socket) -> None:
    """Answer until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    with single_threaded_blas():  # answers do not wait for a core that prepares
        uvicorn.Server(config).run(sockets=[taken])
