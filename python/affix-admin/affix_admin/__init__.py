# SPDX-License-Identifier: MIT
"""Client of affix's administration port."""

from affix_admin.client import (AdminClient, AdminError, Answer, Begun, Busy, ConnectionLost, NotAllowed, Refused,
                                Session)

__all__ = ["AdminClient", "AdminError", "Answer", "Begun", "Busy", "ConnectionLost", "NotAllowed", "Refused", "Session"]
__version__ = "0.1.0"
