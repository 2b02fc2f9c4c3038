# SPDX-License-Identifier: MIT
"""Ports of 127.0.0.1 for programs whose port has to be known before they run."""

import contextlib
import socket


@contextlib.contextmanager
def held_port():
    """A port on which nobody listens and which the kernel gives to nobody else until the block ends. A connection is
    refused; a program that sets SO_REUSEADDR, as servers do, can bind it and listen."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]
