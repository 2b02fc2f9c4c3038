# SPDX-License-Identifier: MIT
"""QuickFIX's module of the messages of FIXT.1.1."""

from affix.quickfix._versions import classes_of

__getattr__ = classes_of(__name__, "FIXT.1.1")
