# SPDX-License-Identifier: MIT
"""QuickFIX's module of the messages of FIX.5.0."""

from typing import Any

from affix.quickfix._versions import classes_of

_class_of = classes_of(__name__, "FIX.5.0", "7")


def __getattr__(name: str) -> Any:
    return _class_of(name)
