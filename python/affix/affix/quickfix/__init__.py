# SPDX-License-Identifier: MIT
"""QuickFIX's Python module over affix's engine: `import affix.quickfix as fix` in place of `import quickfix as fix`.

Field classes (Symbol, OrderQty) and constants (Side_BUY, MsgType_Logon) are made when a program asks for them. What
differs from QuickFIX is in docs/guide/python_from_quickfix.md.
"""

from __future__ import annotations

from typing import Any

from affix.quickfix._application import Application, NullApplication, SynchronizedApplication
from affix.quickfix._dictionary import DataDictionary
from affix.quickfix._endpoint import (
    Acceptor,
    Initiator,
    SocketAcceptor,
    SocketInitiator,
    SSLSocketAcceptor,
    SSLSocketInitiator,
    ThreadedSocketAcceptor,
    ThreadedSocketInitiator,
    ThreadedSSLSocketAcceptor,
    ThreadedSSLSocketInitiator,
)
from affix.quickfix._errors import (
    ConfigError,
    DataDictionaryNotFound,
    DoNotSend,
    DuplicateFieldNumber,
    FieldConvertError,
    FieldNotFound,
    FIXException,
    IncorrectDataFormat,
    IncorrectMessageStructure,
    IncorrectTagValue,
    InvalidMessage,
    InvalidMessageType,
    InvalidTagNumber,
    IOException,
    MessageParseError,
    NoTagValue,
    RejectLogon,
    RepeatedTag,
    RepeatingGroupCountMismatch,
    RequiredTagMissing,
    RuntimeError,
    SessionNotFound,
    SocketException,
    TagNotDefinedForMessage,
    TagOutOfOrder,
    UnsupportedMessageType,
    UnsupportedVersion,
)
from affix.quickfix._fields import (
    BoolField,
    CharField,
    CheckSumField,
    DoubleField,
    FieldBase,
    Int64Field,
    IntField,
    StringField,
    UInt64Field,
    UtcDateField,
    UtcTimeOnlyField,
    UtcTimeStampField,
)
from affix.quickfix._logs import FileLog, FileLogFactory, Log, LogFactory, NullLog, ScreenLog, ScreenLogFactory
from affix.quickfix._message import FieldMap, Group, Header, IntArray, Message, Trailer, identifyType
from affix.quickfix._names import named
from affix.quickfix._session import Session
from affix.quickfix._session_id import SessionID
from affix.quickfix._settings import Dictionary, SessionSettings
from affix.quickfix._stores import FileStoreFactory, MemoryStoreFactory, MessageStoreFactory, NullStoreFactory
from affix.quickfix._times import DateTime, UtcDate, UtcTimeOnly, UtcTimeStamp

__all__ = [
    "Acceptor",
    "Application",
    "BoolField",
    "CharField",
    "CheckSumField",
    "ConfigError",
    "DataDictionary",
    "DataDictionaryNotFound",
    "DateTime",
    "Dictionary",
    "DoNotSend",
    "DoubleField",
    "DuplicateFieldNumber",
    "FIXException",
    "FieldBase",
    "FieldConvertError",
    "FieldMap",
    "FieldNotFound",
    "FileLog",
    "FileLogFactory",
    "FileStoreFactory",
    "Group",
    "Header",
    "IOException",
    "IncorrectDataFormat",
    "IncorrectMessageStructure",
    "IncorrectTagValue",
    "Initiator",
    "Int64Field",
    "IntArray",
    "IntField",
    "InvalidMessage",
    "InvalidMessageType",
    "InvalidTagNumber",
    "Log",
    "LogFactory",
    "MemoryStoreFactory",
    "Message",
    "MessageParseError",
    "MessageStoreFactory",
    "NoTagValue",
    "NullApplication",
    "NullLog",
    "NullStoreFactory",
    "RejectLogon",
    "RepeatedTag",
    "RepeatingGroupCountMismatch",
    "RequiredTagMissing",
    "RuntimeError",
    "SSLSocketAcceptor",
    "SSLSocketInitiator",
    "ScreenLog",
    "ScreenLogFactory",
    "Session",
    "SessionID",
    "SessionNotFound",
    "SessionSettings",
    "SocketAcceptor",
    "SocketException",
    "SocketInitiator",
    "StringField",
    "SynchronizedApplication",
    "TagNotDefinedForMessage",
    "TagOutOfOrder",
    "ThreadedSSLSocketAcceptor",
    "ThreadedSSLSocketInitiator",
    "ThreadedSocketAcceptor",
    "ThreadedSocketInitiator",
    "Trailer",
    "UInt64Field",
    "UnsupportedMessageType",
    "UnsupportedVersion",
    "UtcDate",
    "UtcDateField",
    "UtcTimeOnly",
    "UtcTimeOnlyField",
    "UtcTimeStamp",
    "UtcTimeStampField",
    "identifyType",
]


def __getattr__(name: str) -> Any:
    try:
        value = named(name)
    except AttributeError:
        raise AttributeError(f"module 'affix.quickfix' has no attribute '{name}'") from None
    globals()[name] = value
    return value
