"""The server: one process, on a port of the loopback interface."""

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
    """Bind a port of this machine without listening yet; port 0 takes a free one."""
    # With an explicit protocol, asyncio disables Nagle's algorithm, which may delay 40 ms.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((HOST, port))
    except OSError as error:
        bound.close()
        raise _refuse(port, error) from error
    return bound


def listen(bound: socket.socket) -> str:
    """Start to listen; requests wait until `serve`. Returns the address for a browser."""
    port = bound.getsockname()[1]
    try:
        bound.listen(BACKLOG)
    except OSError as error:  # another process may have bound it at the same time
        raise _refuse(port, error) from error
    return f"http://{HOST}:{port}/"


def _refuse(port: int, error: OSError) -> UsageError:
    why = {
        errno.EADDRINUSE: "taken by another program",
        errno.EACCES: "reserved for privileged users",
    }.get(error.errno or 0, str(error.strerror))
    return UsageError(
        f"port {port} is {why}: choose another with --port, or a free one with --port 0"
    )


def serve(app: ASGIApp, bound: socket.socket) -> None:
    """Answer requests until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    with single_threaded_blas():  # requests do not compete with the preparation
        uvicorn.Server(config).run(sockets=[bound])
