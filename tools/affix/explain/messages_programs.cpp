// SPDX-License-Identifier: MIT
// The programs beside engine and monitor. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array programs_rows{
    MessageRow{"P101", Kind::Error,
               "no command '\u2026'; there are \u2026\n"
               "--help says more.\n"
               "--address or --listen\n"
               "VERSION:SENDER:TARGET is wanted\n"
               "NAME=SENDER:TARGET is wanted\n"
               "NAME=VALUE is wanted",
               "The command line was not understood.",
               "A misspelt command, or a missing or wrong option.",
               "correct the command; `affix --help` lists the commands, and `affix COMMAND --help` "
               "its options"},
    MessageRow{"P102", Kind::Error,
               "nothing fits \u2026\n"
               "no FIX message in the input, or Heartbeats alone (--heartbeats)\n"
               "no message, or Heartbeats alone (--heartbeats)\n"
               "no scenario can be played against this engine\n"
               "there is no Logon, with which a session begins\n"
               "there is no Logon of a session with \u2026\n"
               "the value of \u2026 of a message that is to be sent again has a control character, "
               "or a space at an end, which no scenario can have\n"
               "\u2026: no scenario can be made of it\n"
               "not made: \u2026",
               "Nothing was found; the exit code says so. `not made` names an answer of a workflow "
               "of which no scenario was made, with the reason.",
               "The filter is too narrow, the file is another one, or the day was quiet. A "
               "condition of the workflow needs what only the engine knows.",
               "correct the filter or the file of [`affix log`](log.md) or [`affix certify "
               "record`](certify.md); a quiet day gives the same. Give [`affix certify "
               "orchestra`](certify.md#fix-orchestra) the state by `--state`"},
    MessageRow{"P103", Kind::Note,
               "all sessions have ended in order\n"
               "\u2026: logging out\n"
               "\u2026 again: ends at once\n"
               "SIGHUP: reloading\n"
               "listening on \u2026\n"
               "administration on \u2026",
               "The program says what it does.", "A normal start or end.", "nothing"},
    MessageRow{"P104", Kind::Error,
               "\u2026 is not passed on to \u2026: \u2026\n"
               "\u2026 is dropped: \u2026, and its sender gets no reject: \u2026\n"
               "no route for this message\n"
               "\u2026 cannot be reached\n"
               "it is not logged on, or is stopped\n"
               "it cannot take this message\n"
               "too much is waiting for it\n"
               "\u2026 messages that waited for room did not go out",
               "A message was not passed on; its sender gets 35=j unless that is impossible.",
               "The target session is down, stopped, or full, or no route fits.",
               "check the target session, or the routes"},
    MessageRow{"P105", Kind::Error,
               "the connection is not open\n"
               "positions in a stream are known on Linux only\n"
               "output is parked, or could not be sent\n"
               "bytes that were received would be lost\n"
               "more input than rx_buffer_capacity\n"
               "more output than the transmit buffer holds\n"
               "the connection speaks TLS, and this reactor does not\n"
               "the connection speaks TLS, whose keys end with the process\n"
               "this reactor has no sockets to share\n"
               "there is no such listener\n"
               "the socket does not listen\n"
               "this kernel does not count the bytes of a connection\n"
               "the streams move without pause",
               "The connection was not moved or shared.",
               "A program moves a connection at the wrong time, or to a smaller reactor.",
               "correct the program that moves connections between reactors"},
    MessageRow{"P106", Kind::Error,
               "the session could not be opened\n"
               "the session ended\n"
               "the answers do not come any more\n"
               "a message could not be sent\n"
               "--password-variable: \u2026 is not set\n"
               "HOST:PORT is wanted\n"
               "the journal keeps numbers without messages\n"
               "the journal's side has sent nothing\n"
               "the journal's peer has sent nothing",
               "The replay could not run or end.",
               "The session, the connection or the journal contradicts the options.",
               "check the options of [`affix replay`](replay.md), and the log of the engine that "
               "it connects to"},
    MessageRow{
        "P107", Kind::Error,
        "not all sessions could log on in time; the log says why\n"
        "the market data request was not sent: \u2026\n"
        "market data request refused: \u2026\n"
        "Unsupported Message Type",
        "The trade client could not do it: sessions did not log on, or a message was not sent or "
        "was refused; the text has the reason.",
        "The acceptor, its limits, or the connection.",
        "read the log of the session and its codes; see [`affix-lab "
        "trade`](exchange-and-trade.md)"},
    MessageRow{
        "P108", Kind::Error,
        "the file is empty: a line with column names is missing\n"
        "unknown column '\u2026'\n"
        "column '\u2026' is there twice\n"
        "column '\u2026' is missing\n"
        "the row has \u2026 fields, the header \u2026\n"
        "ClOrdID '\u2026' was used by an earlier row\n"
        "OrigClOrdID is given for a new order\n"
        "OrigClOrdID is missing for a cancel or replace\n"
        "OrigClOrdID '\u2026' is not the ClOrdID of an earlier row\n"
        "Symbol is missing\n"
        "OrderQty is missing\n"
        "OrderQty is not above zero\n"
        "Price is missing for a limit order\n"
        "Price is given for a market order\n"
        "Delay is not between 0 and \u2026 milliseconds with at most six digits after the point\n"
        "the delays add up to more than 292 years\n"
        "\u2026 is missing\n"
        "'\u2026' is not one of \u2026\n"
        "'\u2026' is not a decimal number\n"
        "\u2026 is longer than \u2026\n"
        "\u2026 holds a control character\n"
        "the file is larger than \u2026\n"
        "cannot read '\u2026'\n"
        "more than \u2026\n"
        "a quote within a field that does not begin with one\n"
        "a carriage return without a line feed\n"
        "a field of more than \u2026\n"
        "bytes after a closing quote\n"
        "a quote is never closed",
        "The file of orders was not read.", "A fault of the file, at the line shown.",
        "correct the file of orders, at the line shown"},
    MessageRow{"P109", Kind::Error,
               "the name is empty\n"
               "tick and lot must be above zero\n"
               "the mid must be above zero and a whole number of ticks, a trillion at most\n"
               "the mid is too near to zero for the depth of the book\n"
               "the largest quantity overflows\n"
               "at least one symbol is needed\n"
               "the rate must be 1 to 10,000,000 per second\n"
               "a percentage is above 100\n"
               "cancels and replaces together are above 100 percent\n"
               "depth and crossing must be 0 to a trillion ticks\n"
               "quantities must be at least one lot\n"
               "at least one order must be allowed to be open\n"
               "the prefix of ClOrdIDs is too long\n"
               "order flow",
               "Orders cannot be generated.", "Options are out of range.",
               "correct the options of the generated orders"},
    MessageRow{"P110", Kind::Error,
               "report for an order that is not ours\n"
               "fill reported twice\n"
               "fill report lost\n"
               "filled more than ordered\n"
               "LeavesQty and CumQty do not add up\n"
               "OrderQty is not what was ordered\n"
               "OrdStatus does not fit the quantities\n"
               "report after the order's end\n"
               "reply to something that was not asked",
               "Reports contradict the orders.", "A fault of the acceptor.",
               "correct the acceptor: its reports contradict the orders"},
    MessageRow{"P111", Kind::Error,
               "unreadable market data\n"
               "market data under an MDReqID that was never asked for\n"
               "market data of a symbol that was not asked for\n"
               "an increment before a snapshot\n"
               "a change or deletion of a price level that is not there\n"
               "a new price level that is there already\n"
               "a price level without quantity or orders\n"
               "a price level is not at the position it is said to have\n"
               "more price levels than were asked for\n"
               "the book is crossed",
               "Market data contradict the book.", "A fault of the acceptor.",
               "correct the acceptor: its market data contradict the books"},
    MessageRow{"P112", Kind::Error,
               "ClOrdID is empty\n"
               "ClOrdID is longer than 63 bytes\n"
               "ClOrdID was used before\n"
               "Symbol is not traded here\n"
               "Side is not one of 1 (Buy), 2 (Sell), 5 (Sell short)\n"
               "OrdType is not one of 1 (Market), 2 (Limit)\n"
               "TimeInForce is not one of 0 (Day), 1 (GTC), 3 (IOC), 4 (FOK)\n"
               "OrderQty is not a multiple of the lot\n"
               "OrderQty is above the symbol's limit\n"
               "Price is missing on a limit order\n"
               "Price is given on a market order\n"
               "Price is not a multiple of the tick\n"
               "Price is outside the symbol's limits\n"
               "The exchange holds as many open orders as it can\n"
               "No such order\n"
               "The order belongs to another session\n"
               "OrigClOrdID was replaced by a later ClOrdID\n"
               "Symbol, Side or OrderID is not that of the order\n"
               "The order is filled, canceled or expired\n"
               "Only OrderQty and Price of a limit order can be replaced\n"
               "OrderQty is below the quantity already filled\n"
               "Nothing more to trade with at an acceptable price\n"
               "The whole quantity cannot be filled at once\n"
               "The book holds as many price levels as it can\n"
               "Canceled on disconnect\n"
               "Expired at the end of the day\n"
               "Symbol is no longer traded here\n"
               "The order's session is no longer there\n"
               "The exchange was started anew, and the session's journal keeps nothing\n"
               "The exchange was started anew and has lost its last actions\n"
               "Too many reports wait to be read\n"
               "Canceled with all orders of its member\n"
               "Refused by the exchange's faults\n"
               "unknown reason\n"
               "its open orders are cancelled",
               "The exchange refused or ended an order.",
               "The order breaks a rule of the exchange or the exchange's state.",
               "correct the order; the text is also in Text (58) of the exchange's report"},
    MessageRow{"P113", Kind::Error,
               "unknown symbol\n"
               "MDReqID is that of a subscription in force\n"
               "MDReqID is too long\n"
               "no subscription has this MDReqID\n"
               "too many subscriptions\n"
               "too many symbols in one request\n"
               "unsupported SubscriptionRequestType\n"
               "unsupported MarketDepth\n"
               "a subscription needs MDUpdateType\n"
               "unsupported MDUpdateType\n"
               "only aggregated books are published\n"
               "only bids, offers and trades are published\n"
               "the book does not fit a message that this session takes\n"
               "a MarketDataRequestReject was not sent: \u2026\n"
               "an OrderMassCancelReport was not sent: \u2026\n"
               "market data was not sent: \u2026",
               "The exchange refused a market data request.",
               "The request asks for something that the exchange does not offer.",
               "correct the request; the text is also in Text (58) of the exchange's reject"},
    MessageRow{"P114", Kind::Note,
               "\u2026 open orders and \u2026 waiting reports of an earlier run",
               "The exchange continues with the state of an earlier run.", "A restart.",
               "nothing: the exchange continues with them; see [what "
               "survives](exchange-and-trade.md#what-survives-a-restart)"},
    MessageRow{"P115", Kind::Warning, "it has rejected message \u2026: \u2026",
               "A member rejected a message of the exchange, which is not answered.",
               "The member sent BusinessMessageReject (j).", "nothing, or ask the member"},
    MessageRow{"P116", Kind::Error,
               "a request cannot be stored and is refused: \u2026\n"
               "the exchange cannot store requests now\n"
               "the exchange cannot store an event: \u2026\n"
               "requests wait, as they cannot be stored: \u2026\n"
               "the exchange's file grows on, as no new one can be begun: \u2026",
               "The exchange refuses requests for now.", "The exchange's file cannot be written.",
               "free space in the directory of `--book`, or replace the disk: the reason follows. "
               "The exchange accepts orders again once it can store them"},
    MessageRow{
        "P117", Kind::Error, "a report can never be sent: \u2026",
        "A report was not sent and never will be.",
        "The reason follows: for example, the report exceeds the member's MaxMessageSize (383).",
        "correct the reason that follows"},
    MessageRow{"P118", Kind::Error, "too many reports wait for it: its open orders are cancelled",
               "The member's open orders are cancelled.",
               "It is disconnected or does not read, and 100,000 reports wait for it.",
               "ask the member whether its engine runs and reads"},
    MessageRow{"P119", Kind::Warning,
               "this journal keeps no messages: its session's orders do not outlive the exchange",
               "A restart of the exchange cancels the session's open orders.",
               "Its journal keeps no messages.", "set `max_serialised_file_size` above 0"},
    MessageRow{"P120", Kind::Error, "another exchange uses it", "The exchange does not start.",
               "Another exchange uses the directory of `--book`.",
               "give each `affix-lab exchange` its own directory by `--book`"},
    MessageRow{"P121", Kind::Note, "\u2026 bytes of a record that was never finished are left out",
               "The end of the exchange's file was left out; its request was not answered.",
               "A kill or a power loss interrupted the last record.", "nothing"},
    MessageRow{"P122", Kind::Error,
               "the record at byte \u2026 is damaged where no crash explains it. Moved away, it "
               "leaves the exchange with an empty book: its members' open orders are unknown then\n"
               "record \u2026 is not one that the state of an exchange has\n"
               "the saved book contradicts itself: \u2026\n"
               "slots of orders\n"
               "an order is missing\n"
               "an order without a ClOrdID\n"
               "too many ClOrdIDs",
               "The exchange does not start.", "Its file was changed, or the disk lost data.",
               "restore the file in the directory of `--book` from a copy, or move it away: it was "
               "changed, or the disk lost data"},
    MessageRow{
        "P123", Kind::Error,
        "the exchange's records end before the reports that its members were sent, as after a "
        "power "
        "loss: all open orders are cancelled",
        "All open orders are cancelled.",
        "The exchange's file ends before the reports in the journals, as after a power loss.",
        "check the members' orders: a session's journal has reports that the exchange's "
        "file does not explain; ids start again"},
    MessageRow{"P124", Kind::Error,
               "the symbol is empty\n"
               "the symbol holds a control character\n"
               "tick or lot has too many digits\n"
               "a price limit cannot be counted in the tick's last digit\n"
               "the lowest price is above the highest\n"
               "the largest quantity cannot be counted in the lot's last digit\n"
               "the largest quantity times the number of orders overflows\n"
               "the symbol has a book already",
               "The symbol cannot be traded.", "`--symbol` has a value out of range.",
               "correct `--symbol` of `affix-lab exchange`"},
    MessageRow{
        "P125", Kind::Error,
        "'\u2026' is not a time; write, for example, 2026-01-31 09:30:00.5, 2026-01-31 or 09:30\n"
        "'\u2026' is not a condition; write, for example, 54=1, 54=Buy, 39!=8, 58~limit or 44\n"
        "'\u2026' is not a condition; after the tag comes =, != or ~\n"
        "a direction is in or out, not '\u2026'\n"
        "--stats and --follow: a followed journal has no end to count to",
        "`affix log` did not understand an option.", "A malformed time, condition or combination.",
        "correct the options of [`affix log`](log.md)"},
    MessageRow{"P126", Kind::Error,
               "no such file or directory\n"
               "holds no journal and no log\n"
               "is a segment of a journal under another name\n"
               "\u2026: segments between \u2026 are gone\n"
               "\u2026: bad record at byte \u2026",
               "A source of `affix log` cannot be read whole.",
               "A wrong path, or a damaged journal.",
               "correct the path of [`affix log`](log.md); for a damaged journal run `affix "
               "journal verify`"},
    MessageRow{"P127", Kind::Warning,
               "the gzip file ends early\n"
               "the zstd file ends early\n"
               "bad bytes\n"
               "is empty\n"
               "is not a capture file\n"
               "has no interface\n"
               "ends within a packet\n"
               "a block has a wrong length\n"
               "a section begins wrongly\n"
               "an interface is described wrongly\n"
               "a packet is described wrongly\n"
               "a packet is longer than 256 KiB\n"
               "captured on a link of type \u2026\n"
               "\u2026 bytes between messages of \u2026 to \u2026\n"
               "\u2026 bytes of TCP streams were not captured\n"
               "\u2026 packets of more than \u2026 connections were left out\n"
               "\u2026: is longer than \u2026 bytes; the rest was not read\n"
               "is longer than the \u2026 bytes that its header says, or than can be read\n"
               "names are missing: \u2026\n"
               "a dictionary could not be read",
               "A part of the file was not read; the rest is shown, and the exit code is 1.",
               "The file is cut, or the capture incomplete.", "get the complete file"},
    MessageRow{"P128", Kind::Error, "the output cannot be written: \u2026",
               "The output is not complete; the exit code is 74.",
               "The disk of the output is full, or the pipe was closed.",
               "make room on the disk of the output, and repeat the command"},
    MessageRow{"P129", Kind::Error, "there is no key '\u2026'; did you mean '\u2026'?",
               "The key does not exist.", "A misspelt name.",
               "correct the key of `affix config explain`"},
    MessageRow{"P130", Kind::Error,
               "[ENGINE] has no counters_file, so no program can read the engine's "
               "counters\n"
               "affix top: no column '\u2026'; there are \u2026\n"
               "affix top: \u2026",
               "`affix top` cannot show the engine.",
               "`counters_file` is not set, or an option is wrong.",
               "set `counters_file`, or correct the options of [`affix top`](top.md)"},
    MessageRow{"P131", Kind::Error,
               "\u2026: no message, component or field '\u2026'\n"
               "\u2026: cannot be written: \u2026\n"
               "'\u2026' names no version of FIX; say for example FIX.4.4 or FIX.5.0SP2",
               "`affix dictionary` could not do it.", "A wrong argument.",
               "correct the arguments of [`affix dictionary`](dictionary.md)"},
    MessageRow{"P132", Kind::Error,
               "affix generate: note: \u2026 has no header and session messages of its own; "
               "--transport FIXT11.xml adds them\n"
               "affix generate: \u2026",
               "`affix generate` could not do it, or notes something.",
               "A wrong argument, or a dictionary without a transport part.",
               "correct the arguments of `affix generate`"},
    MessageRow{"P133", Kind::Error, "affix: assertion failed: \u2026 (\u2026:\u2026)",
               "The program ended rather than continue wrongly. Journals are intact.",
               "A fault of affix.", "report it, please, with the line"},
    MessageRow{"P134", Kind::Error,
               "affix explain: there is no code '\u2026'; the nearest are \u2026",
               "The code does not exist.", "A misspelt code.",
               "use one of the nearest codes that the message names; `affix explain` lists all"},
    MessageRow{
        "P135", Kind::Error,
        "affix \u2026: needs the program \u2026, which is neither beside affix nor in PATH; its "
        "package is \u2026",
        "The command belongs to another program, which was not found.",
        "The package of that program is not installed.",
        "install the package that the message names, or call its program by its path"},
    MessageRow{
        "P136", Kind::Error,
        "no such action: \u2026\n"
        "\u2026 is an action of '\u2026'\n"
        "'\u2026' cannot be followed by '\u2026'\n"
        "a condition is TAG=VALUE\n"
        "a number follows every, first and after",
        "The exchange cannot read its file of faults; after a reload the faults stay as they were.",
        "A line has another form than the [table](exchange-and-trade.md) says.",
        "correct the line that the message names, and start or reload the exchange"},
};

}  // namespace

std::span<const MessageRow> programs_messages() noexcept {
  return programs_rows;
}

}  // namespace affix::inline v0::tools::explain
