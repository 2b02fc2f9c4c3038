// SPDX-License-Identifier: MIT
// Market data as FIX messages: the request (35=V), and snapshots, increments and refusals (W, X, Y)
// in the words of the member's FIX version.
#pragma once

#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include "exchange/field_reader.hpp"
#include "exchange/market_data/news.hpp"
#include "exchange/market_data/request.hpp"
#include "exchange/reports.hpp"

#include <string_view>

namespace affix::inline v0::tools::exchange {

/// Reads a MarketDataRequest; a fault is the reader's. To end a subscription its id is enough.
/// Views go into the message.
[[nodiscard]] MarketDataRequest read_market_data_request(FieldReader& fields,
                                                         const wire::MessageView& message,
                                                         OwnerId owner);

/// MsgType of what write_market_data() writes.
[[nodiscard]] std::string_view msg_type_of(const MarketDataNews& news) noexcept;

/// Body of a MarketDataSnapshotFullRefresh or a MarketDataIncrementalRefresh.
void write_market_data(wire::Encoder& message, const MarketDataNews& news,
                       const ReportStyle& style) noexcept;

/// Body of a MarketDataRequestReject; `symbol` is named in its text when not empty.
void write_market_data_reject(wire::Encoder& message, std::string_view request_id,
                              MarketDataRefusal refusal, std::string_view symbol);

}  // namespace affix::inline v0::tools::exchange
