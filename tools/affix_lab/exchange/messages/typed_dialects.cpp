// SPDX-License-Identifier: MIT
// The exchange's messages in each version, and the selection of each session's.
#include "exchange/messages/dialect.hpp"
#include "exchange/messages/read_request.hpp"
#include "exchange/messages/write_market_data.hpp"
#include "exchange/messages/write_reports.hpp"
#include "order/typed_versions.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

template <typename Version>
class TypedDialect final : public Dialect {
 public:
  [[nodiscard]] std::expected<Request, BadRequest> read_request(
      const wire::MessageView& message, OwnerId owner,
      std::string_view order_id_prefix) const override {
    return exchange::read_request<Version>(message, owner, order_id_prefix);
  }

  [[nodiscard]] wire::Encoder write(const wire::Encoder& begun, const ExecutionReport& report,
                                    const ReportStyle& style) const noexcept override {
    return write_execution<Version>(begun, report, style);
  }

  [[nodiscard]] wire::Encoder write(const wire::Encoder& begun, const CancelReject& reject,
                                    const ReportStyle& style) const noexcept override {
    return write_cancel_reject<Version>(begun, reject, style);
  }

  [[nodiscard]] wire::Encoder write(const wire::Encoder& begun, const MarketDataNews& news,
                                    const ReportStyle& style) const noexcept override {
    return news.snapshot ? write_snapshot<Version>(begun, news)
                         : write_increments<Version>(begun, news, style);
  }

  [[nodiscard]] wire::Encoder write(const wire::Encoder& begun, const MarketDataReject& reject,
                                    const ReportStyle& /*style*/) const override {
    return write_market_data_reject<Version>(begun, reject);
  }

  [[nodiscard]] wire::Encoder write(const wire::Encoder& begun, const MassCancelReport& report,
                                    const ReportStyle& style) const override {
    return write_mass_cancel<Version>(begun, report, style);
  }
};

}  // namespace

const Dialect& dialect_of(std::string_view begin_string) noexcept {
  return typed_dialect_of<Dialect, TypedDialect>(begin_string);
}

}  // namespace affix::inline v0::tools::exchange
