# SPDX-License-Identifier: MIT
"""affix: a FIX codec and engine.

Reading and writing::

    message = affix.parse(data)              # a view: nothing is copied
    message[55], message.decimal(44)         # 'EUR/USD', Decimal('1.0825')
    data = affix.encode("D", {11: "order-1", 55: "EUR/USD", 44: Decimal("1.0825")})

With a dictionary, fields have names, groups are lists, and messages are validated::

    fix44 = affix.dictionary("FIX.4.4")
    order = fix44.parse(data)
    order["Symbol"], order.group("NoPartyIDs"), order.validate()

Trading, on asyncio's own loop::

    async with affix.Initiator("trader.ini") as session:
        await session.logon()
        await session.send("D", {11: "order-1", 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: Decimal("1.0825")})
        async for message in session:
            print(message)

Or without asyncio, with callbacks on threads of C++::

    with affix.ThreadedInitiator("trader.ini", on_message=print) as session:
        session.logon()
        session.send("D", {11: "order-1", 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: Decimal("1.0825")})
        session.engine.wait()                # until Ctrl-C
"""

from __future__ import annotations

from affix._affix import (
    Codec,
    GroupEntry,
    LogEntry,
    LogReader,
    Message,
    Violation,
    __version__,
)
from affix._codec import (
    Dictionary,
    Fields,
    Receiver,
    Value,
    decode_log,
    dictionary,
    dictionary_of_file,
    encode,
    log_to_arrow,
    log_to_pandas,
    parse,
    standard_dictionaries,
)
from affix._configuration import KeyDescription, configuration_keys
from affix._hosting import SendStatus
from affix._session import Acceptor, Engine, Initiator, Session
from affix._threads import (
    FailoverKind,
    FailoverNotice,
    ThreadedAcceptor,
    ThreadedEngine,
    ThreadedInitiator,
    ThreadedSession,
)
from affix.errors import (
    AffixError,
    ClosedError,
    ConfigurationError,
    DictionaryError,
    EncodeError,
    ExpiredError,
    FieldError,
    LogError,
    LogonError,
    MissingFieldError,
    ParseError,
    SendError,
    UnknownNameError,
    WrongThreadError,
)

__all__ = [
    "Acceptor",
    "AffixError",
    "ClosedError",
    "Codec",
    "ConfigurationError",
    "Dictionary",
    "DictionaryError",
    "EncodeError",
    "Engine",
    "ExpiredError",
    "FailoverKind",
    "FailoverNotice",
    "FieldError",
    "Fields",
    "GroupEntry",
    "Initiator",
    "KeyDescription",
    "LogEntry",
    "LogError",
    "LogReader",
    "LogonError",
    "Message",
    "MissingFieldError",
    "ParseError",
    "Receiver",
    "SendError",
    "SendStatus",
    "Session",
    "ThreadedAcceptor",
    "ThreadedEngine",
    "ThreadedInitiator",
    "ThreadedSession",
    "UnknownNameError",
    "Value",
    "Violation",
    "WrongThreadError",
    "__version__",
    "configuration_keys",
    "decode_log",
    "dictionary",
    "dictionary_of_file",
    "encode",
    "log_to_arrow",
    "log_to_pandas",
    "parse",
    "standard_dictionaries",
]
