# SPDX-License-Identifier: MIT
"""QuickFIX's module of the messages of FIX.5.0SP1."""

from affix.quickfix._versions import classes_of

__getattr__ = classes_of(__name__, "FIX.5.0SP1", "8")
