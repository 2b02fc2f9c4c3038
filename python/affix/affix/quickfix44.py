# SPDX-License-Identifier: MIT
"""QuickFIX's module of the messages of FIX.4.4."""

from affix.quickfix._versions import classes_of

__getattr__ = classes_of(__name__, "FIX.4.4")
