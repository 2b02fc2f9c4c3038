# SPDX-License-Identifier: MIT
"""python3 -m affix_admin"""

import sys

from affix_admin.cli import main

sys.exit(main())
