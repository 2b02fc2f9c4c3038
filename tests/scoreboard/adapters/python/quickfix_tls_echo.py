# SPDX-License-Identifier: MIT
"""QuickFIX of the package quickfix-tls as an acceptor that answers every application message with a copy of its body."""

import os
import sys
from pathlib import Path

import quickfix

from echo_options import free_port, parse_options, settings_text

DEFAULT = """SocketAcceptHost=127.0.0.1
SocketNodelay=Y
UseDataDictionary=Y
DataDictionary={dictionaries}/FIX44.xml
ValidateFieldsOutOfOrder=Y
ValidateFieldsHaveValues=Y
ValidateUserDefinedFields=Y
ValidateLengthAndChecksum=Y
AllowUnknownMsgFields=N
CheckCompID=Y
CheckLatency=Y
MaxLatency=120
TimestampPrecision=3
LogonTimeout=10
LogoutTimeout=5
"""


class Echo(quickfix.Application):
    def onCreate(self, session):
        pass

    def onLogon(self, session):
        pass

    def onLogout(self, session):
        pass

    def toAdmin(self, message, session):
        pass

    def fromAdmin(self, message, session):
        pass

    def toApp(self, message, session):
        pass

    def fromApp(self, message, session):
        copy = quickfix.Message(message)
        copy.getHeader().removeField(43)
        copy.getHeader().removeField(122)
        quickfix.Session.sendToTarget(copy, session)


def main():
    options = parse_options()
    port = free_port()
    path = Path(options.directory) / "settings"
    path.write_text(settings_text(options, DEFAULT.format(dictionaries=options.dictionaries), port))
    settings = quickfix.SessionSettings(str(path))
    application = Echo()
    store = quickfix.FileStoreFactory(settings)
    acceptor = quickfix.ThreadedSocketAcceptor(application, store, settings)
    acceptor.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    sys.stdin.read()
    # Its stop() sleeps whole seconds and sends Logouts.
    os._exit(0)


main()
