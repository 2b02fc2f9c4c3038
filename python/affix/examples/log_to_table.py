# SPDX-License-Identifier: MIT
"""Prints the orders of a journal or a text log as a table: with pandas, or without.

    python log_to_table.py journals/
"""

import sys
from collections import Counter

import affix

FIELDS = (11, 55, 54, 38, 44)


def show(path: str) -> None:
    try:
        print(affix.log_to_pandas(path, FIELDS).to_string())
        return
    except ModuleNotFoundError:
        pass
    types: Counter[str] = Counter()
    for entry in affix.decode_log(path):
        message = entry.message
        if message is not None:
            types[message.type] += 1
            print(entry.time, entry.session, entry.direction, message.type, *message.values(*FIELDS))
    print(dict(types))


if __name__ == "__main__":
    show(sys.argv[1])
