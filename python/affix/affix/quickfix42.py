# SPDX-License-Identifier: MIT
"""QuickFIX's module of the messages of FIX.4.2."""

from typing import Any

from affix.quickfix._versions import classes_of

_class_of = classes_of(__name__, "FIX.4.2")


def __getattr__(name: str) -> Any:
    return _class_of(name)
