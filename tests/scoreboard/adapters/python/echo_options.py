# SPDX-License-Identifier: MIT
"""The command line that every echo has, and the settings that engines with QuickFIX's names have in common."""

import argparse
import datetime
import socket

# Of header and trailer: the engine writes them.
ENGINES_OWN = {8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122}


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--begin_string", required=True)
    parser.add_argument("--sender", required=True)
    parser.add_argument("--target", action="append", required=True)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--dictionaries", required=True)
    return parser.parse_args()


def free_port():
    """An engine that cannot say which port the kernel chose must be told one."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


def settings_text(options, default, port):
    """A settings file: the `default` section's lines, then a session for each target."""
    # Numbers begin again at this time of the day, so it is far from now.
    boundary = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=12)).strftime("%H:%M:%S")
    text = (f"[DEFAULT]\nConnectionType=acceptor\nBeginString={options.begin_string}\nSenderCompID={options.sender}\n"
            f"StartTime={boundary}\nEndTime={boundary}\nSocketAcceptPort={port}\nFileStorePath={options.directory}\n{default}")
    for target in options.target:
        text += (f"[SESSION]\nBeginString={options.begin_string}\nSenderCompID={options.sender}\nTargetCompID={target}\n")
    return text
