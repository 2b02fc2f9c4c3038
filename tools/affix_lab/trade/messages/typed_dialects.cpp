// SPDX-License-Identifier: MIT
// The trade client's messages in each version, and the selection of each session's.
#include "order/typed_versions.hpp"
#include "trade/messages/dialect.hpp"
#include "trade/messages/read_reports.hpp"
#include "trade/messages/write_requests.hpp"

namespace affix::inline v0::tools::trade {

namespace {

template <typename Version>
class TypedDialect final : public Dialect {
 public:
  [[nodiscard]] wire::Encoder write(const wire::Encoder& begun, const OrderRequest& request,
                                    base::UtcTime now) const noexcept override {
    return write_request<Version>(begun, request, now);
  }

  [[nodiscard]] wire::Encoder write(const wire::Encoder& begun,
                                    const BookSubscription& subscription) const noexcept override {
    return write_subscription<Version>(begun, subscription);
  }

  [[nodiscard]] std::optional<ExecutionNews> read_execution(
      const wire::MessageView& message) const noexcept override {
    return trade::read_execution<Version>(message);
  }

  [[nodiscard]] std::string_view read_cancel_reject(
      const wire::MessageView& message) const noexcept override {
    const auto reject = Version::OrderCancelReject::from(message);
    return reject ? reject->cl_ord_id().value_or(std::string_view{}) : std::string_view{};
  }

  [[nodiscard]] bool read_market_data(const wire::MessageView& message,
                                      BookNews& news) const override {
    return trade::read_market_data<Version>(message, news);
  }
};

}  // namespace

std::string_view msg_type_of(const OrderRequest& request) noexcept {
  switch (request.kind) {
    case RequestKind::New:
      return "D";
    case RequestKind::Cancel:
      return "F";
    case RequestKind::Replace:
      return "G";
  }
  return {};
}

const Dialect& dialect_of(std::string_view begin_string) noexcept {
  return typed_dialect_of<Dialect, TypedDialect>(begin_string);
}

}  // namespace affix::inline v0::tools::trade
