# SPDX-License-Identifier: MIT
"""Going on with a task that waits, without a step of the loop between."""

from __future__ import annotations

import asyncio


def go_on(waiter: asyncio.Future[None]) -> None:
    """Gives a future that one task awaits its result, and goes on with the task until it waits again or ends.

    A future alone has the loop do that in its next step, after it has asked the system for descriptors once more: for a
    message that takes as long as all that the engine does with it. Not while a task of the loop runs: asyncio runs one
    at a time.
    """
    # By no public name, so a loop whose futures have none goes on with the task by itself.
    steps = getattr(waiter, "_callbacks", None)
    if not steps or len(steps) != 1:
        waiter.set_result(None)
        return
    ((step, context),) = steps
    waiter.remove_done_callback(step)
    waiter.set_result(None)
    context.run(step, waiter)
