// SPDX-License-Identifier: MIT
// Converts rows of text to order requests, and checks each by itself and against the rows before.
#include "trade/flow/order_file.hpp"

#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"

#include "order/cl_ord_id_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace affix::inline v0::tools::trade {

namespace {

enum class Column : std::uint8_t {
  MsgType,
  ClOrdId,
  OrigClOrdId,
  Symbol,
  Side,
  OrdType,
  OrderQty,
  Price,
  TimeInForce,
  Delay,
};

constexpr std::array<std::string_view, 10> column_names = {
    "MsgType", "ClOrdID",  "OrigClOrdID", "Symbol",      "Side",
    "OrdType", "OrderQty", "Price",       "TimeInForce", "Delay"};
constexpr std::array required_columns = {Column::Symbol, Column::Side, Column::OrdType,
                                         Column::OrderQty};

constexpr std::size_t symbol_bytes_max = 64;
constexpr std::int64_t delay_ms_max = 86'400'000;

template <typename T>
struct Word {
  std::string_view text;
  T value;
};

constexpr std::array<Word<RequestKind>, 3> kind_words = {
    {{"D", RequestKind::New}, {"F", RequestKind::Cancel}, {"G", RequestKind::Replace}}};
constexpr std::array<Word<Side>, 6> side_words = {{{"1", Side::Buy},
                                                   {"2", Side::Sell},
                                                   {"5", Side::SellShort},
                                                   {"Buy", Side::Buy},
                                                   {"Sell", Side::Sell},
                                                   {"SellShort", Side::SellShort}}};
constexpr std::array<Word<OrderType>, 4> type_words = {{{"1", OrderType::Market},
                                                        {"2", OrderType::Limit},
                                                        {"Market", OrderType::Market},
                                                        {"Limit", OrderType::Limit}}};
constexpr std::array<Word<TimeInForce>, 8> life_words = {{{"0", TimeInForce::Day},
                                                          {"1", TimeInForce::GoodTillCancel},
                                                          {"3", TimeInForce::ImmediateOrCancel},
                                                          {"4", TimeInForce::FillOrKill},
                                                          {"Day", TimeInForce::Day},
                                                          {"GTC", TimeInForce::GoodTillCancel},
                                                          {"IOC", TimeInForce::ImmediateOrCancel},
                                                          {"FOK", TimeInForce::FillOrKill}}};

/// One pass over one text. Collects problems; a faulty row gives no request, but its names are
/// kept, so that rows that refer to it are not reported as well.
class OrderFileParser {
 public:
  OrderFileParser(std::string_view text, std::string_view prefix)
      : reader_(text), prefix_(prefix) {}

  OrderFile parse() {
    if (read_header()) {
      read_rows();
    }
    if (problems_.empty()) {
      return std::move(requests_);
    }
    // Some rules report a column before the current one.
    std::sort(problems_.begin(), problems_.end(),
              [](const FileProblem& left, const FileProblem& right) {
                return std::tie(left.place.line, left.place.column, left.message) <
                       std::tie(right.place.line, right.place.column, right.message);
              });
    return std::unexpected(std::move(problems_));
  }

 private:
  bool read_header() {
    switch (reader_.next()) {
      case CsvReader::Row::End:
        problem({}, "the file is empty: a line with column names is missing");
        return false;
      case CsvReader::Row::Fault:
        problems_.push_back(reader_.problem());
        return false;
      case CsvReader::Row::Read:
        break;
    }
    for (const CsvField& field : reader_.fields()) {
      const auto* const name = std::find(column_names.begin(), column_names.end(), field.text);
      if (name == column_names.end()) {
        problem(field.place, "unknown column '" + field.text + "'");
        columns_.push_back(std::nullopt);
        continue;
      }
      const auto column = static_cast<Column>(name - column_names.begin());
      if (std::find(columns_.begin(), columns_.end(), column) != columns_.end()) {
        problem(field.place, "column '" + field.text + "' is there twice");
      }
      columns_.push_back(column);
    }
    for (const Column column : required_columns) {
      if (std::find(columns_.begin(), columns_.end(), column) == columns_.end()) {
        problem({}, "column '" + name_of(column) + "' is missing");
      }
    }
    // Without valid columns every row would be reported for the header's faults.
    return problems_.empty();
  }

  void read_rows() {
    for (;;) {
      const CsvReader::Row row = reader_.next();
      if (row == CsvReader::Row::End || problems_.size() >= order_file_problems_max) {
        return;
      }
      if (row == CsvReader::Row::Fault) {
        problems_.push_back(reader_.problem());
        continue;
      }
      if (row_ == order_file_rows_max) {
        problem(reader_.fields().front().place,
                "more than " + std::to_string(order_file_rows_max) + " rows");
        return;
      }
      ++row_;
      read_row(reader_.fields());
    }
  }

  void read_row(std::span<const CsvField> fields) {
    if (fields.size() != columns_.size()) {
      problem(fields.front().place, "the row has " + std::to_string(fields.size()) +
                                        " fields, the header " + std::to_string(columns_.size()));
      return;
    }
    fields_ = fields;
    const std::size_t problems_before = problems_.size();
    OrderRequest request;
    request.kind =
        word(Column::MsgType, kind_words, std::optional(RequestKind::New)).value_or(request.kind);
    const OrderRequest* original = read_names(request);
    if (original != nullptr) {
      request.symbol = original->symbol;
      request.side = original->side;
      request.type = original->type;
      request.time_in_force = original->time_in_force;
    }
    read_symbol(request);
    request.side =
        word(Column::Side, side_words, default_of(original, request.side)).value_or(request.side);
    const std::optional<OrderType> type =
        word(Column::OrdType, type_words, default_of(original, request.type));
    request.type = type.value_or(request.type);
    request.time_in_force =
        word(Column::TimeInForce, life_words, std::optional(request.time_in_force))
            .value_or(request.time_in_force);
    read_quantity(request, original);
    read_price(request, type.has_value());
    read_delay(request);
    names_.try_emplace(request.cl_ord_id, request);
    if (problems_.size() == problems_before) {
      requests_.push_back(std::move(request));
    }
  }

  /// A value that a cancel or replace may omit, because the earlier row has it; otherwise it is
  /// required.
  template <typename T>
  static std::optional<T> default_of(const OrderRequest* original, T value) {
    return original != nullptr ? std::optional<T>(value) : std::nullopt;
  }

  /// Reads ClOrdID and OrigClOrdID; returns the request that the second refers to.
  const OrderRequest* read_names(OrderRequest& request) {
    request.cl_ord_id = text_of(Column::ClOrdId);
    if (request.cl_ord_id.empty()) {
      request.cl_ord_id = std::string(prefix_) + std::to_string(row_);
    }
    check_text(Column::ClOrdId, request.cl_ord_id, cl_ord_id_bytes_max);
    if (names_.contains(request.cl_ord_id)) {
      problem(place_of(Column::ClOrdId),
              "ClOrdID '" + request.cl_ord_id + "' was used by an earlier row");
    }
    request.orig_cl_ord_id = text_of(Column::OrigClOrdId);
    if (request.kind == RequestKind::New) {
      if (!request.orig_cl_ord_id.empty()) {
        problem(place_of(Column::OrigClOrdId), "OrigClOrdID is given for a new order");
      }
      return nullptr;
    }
    if (request.orig_cl_ord_id.empty()) {
      problem(place_of(Column::OrigClOrdId), "OrigClOrdID is missing for a cancel or replace");
      return nullptr;
    }
    const auto found = names_.find(request.orig_cl_ord_id);
    if (found == names_.end()) {
      problem(place_of(Column::OrigClOrdId),
              "OrigClOrdID '" + request.orig_cl_ord_id + "' is not the ClOrdID of an earlier row");
      return nullptr;
    }
    return &found->second;
  }

  void read_symbol(OrderRequest& request) {
    if (const std::string_view symbol = text_of(Column::Symbol); !symbol.empty()) {
      request.symbol = symbol;
    }
    if (request.symbol.empty()) {
      problem(place_of(Column::Symbol), "Symbol is missing");
    }
    check_text(Column::Symbol, request.symbol, symbol_bytes_max);
  }

  void read_quantity(OrderRequest& request, const OrderRequest* original) {
    const std::optional<base::Decimal> quantity = decimal(Column::OrderQty);
    if (text_of(Column::OrderQty).empty()) {
      if (request.kind == RequestKind::Cancel) {
        request.quantity = original != nullptr ? original->quantity : base::Decimal{};
      } else {
        problem(place_of(Column::OrderQty), "OrderQty is missing");
      }
    } else if (quantity && quantity->mantissa <= 0) {
      problem(place_of(Column::OrderQty), "OrderQty is not above zero");
    } else if (quantity) {
      request.quantity = *quantity;
    }
  }

  void read_price(OrderRequest& request, bool type_known) {
    const std::optional<base::Decimal> price = decimal(Column::Price);
    if (request.kind == RequestKind::Cancel || !type_known) {
      return;
    }
    const bool has_price = !text_of(Column::Price).empty();
    if (request.type == OrderType::Limit && !has_price) {
      problem(place_of(Column::Price), "Price is missing for a limit order");
    } else if (request.type == OrderType::Market && has_price) {
      problem(place_of(Column::Price), "Price is given for a market order");
    }
    request.price = price;
  }

  void read_delay(OrderRequest& request) {
    const std::optional<base::Decimal> delay_ms = decimal(Column::Delay);
    if (delay_ms) {
      // Milliseconds with six decimals are whole nanoseconds.
      const std::optional<std::int64_t> delay_ns = delay_ms->mantissa_at(-6);
      if (!delay_ns || *delay_ns < 0 || *delay_ns > delay_ms_max * base::ns_per_ms) {
        problem(place_of(Column::Delay),
                "Delay is not between 0 and " + std::to_string(delay_ms_max) +
                    " milliseconds with at most six digits after the point");
      } else if (*delay_ns > std::numeric_limits<std::int64_t>::max() - due_ns_) {
        problem(place_of(Column::Delay), "the delays add up to more than 292 years");
      } else {
        due_ns_ += *delay_ns;
      }
    }
    request.due_ns = due_ns_;
  }

  /// The value of an enumeration; nullopt, with a problem, for any other text.
  template <typename T, std::size_t Count>
  std::optional<T> word(Column column, const std::array<Word<T>, Count>& words,
                        std::optional<T> absent) {
    const std::string_view text = text_of(column);
    if (text.empty() && absent) {
      return absent;
    }
    for (const Word<T>& candidate : words) {
      if (candidate.text == text) {
        return candidate.value;
      }
    }
    if (text.empty()) {
      problem(place_of(column), name_of(column) + " is missing");
    } else {
      std::string allowed;
      for (const Word<T>& candidate : words) {
        allowed += (allowed.empty() ? "" : ", ") + std::string(candidate.text);
      }
      problem(place_of(column),
              name_of(column) + " '" + std::string(text) + "' is not one of " + allowed);
    }
    return std::nullopt;
  }

  std::optional<base::Decimal> decimal(Column column) {
    const std::string_view text = text_of(column);
    if (text.empty()) {
      return std::nullopt;
    }
    const auto value = wire::parse_decimal(text);
    if (!value) {
      problem(place_of(column),
              name_of(column) + " '" + std::string(text) + "' is not a decimal number");
      return std::nullopt;
    }
    return *value;
  }

  void check_text(Column column, std::string_view text, std::size_t bytes_max) {
    if (text.size() > bytes_max) {
      problem(place_of(column),
              name_of(column) + " is longer than " + std::to_string(bytes_max) + " bytes");
    }
    // SOH would end the field on the wire, and no other control character is useful.
    const auto is_control = [](char byte) {
      return static_cast<unsigned char>(byte) < ' ' || byte == '\x7F';
    };
    if (std::any_of(text.begin(), text.end(), is_control)) {
      problem(place_of(column), name_of(column) + " holds a control character");
    }
  }

  [[nodiscard]] const CsvField* field_of(Column column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return found == columns_.end() ? nullptr
                                   : &fields_[static_cast<std::size_t>(found - columns_.begin())];
  }

  /// Empty if the file has no such column.
  [[nodiscard]] std::string_view text_of(Column column) const {
    const CsvField* field = field_of(column);
    return field == nullptr ? std::string_view() : std::string_view(field->text);
  }

  /// The field's place, or the row's if the file has no such column.
  [[nodiscard]] TextPlace place_of(Column column) const {
    const CsvField* field = field_of(column);
    return field == nullptr ? fields_.front().place : field->place;
  }

  [[nodiscard]] static std::string name_of(Column column) {
    return std::string(column_names[static_cast<std::size_t>(column)]);
  }

  void problem(TextPlace place, std::string message) {
    problems_.push_back({place, std::move(message)});
  }

  CsvReader reader_;
  std::string_view prefix_;
  std::vector<std::optional<Column>> columns_;
  std::span<const CsvField> fields_;
  std::unordered_map<std::string, OrderRequest> names_;
  std::vector<OrderRequest> requests_;
  std::vector<FileProblem> problems_;
  std::size_t row_ = 0;
  std::int64_t due_ns_ = 0;
};

}  // namespace

OrderFile parse_orders(std::string_view text, std::string_view cl_ord_id_prefix) {
  if (text.size() > order_file_bytes_max) {
    return std::unexpected(std::vector<FileProblem>{
        {{}, "the file is larger than " + std::to_string(order_file_bytes_max) + " bytes"}});
  }
  return OrderFileParser(text, cl_ord_id_prefix).parse();
}

OrderFile load_orders(const std::string& path, std::string_view cl_ord_id_prefix) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65'536> chunk;
  // Reads slightly more than the limit, so that parse_orders() notices the excess.
  while (file && text.size() <= order_file_bytes_max) {
    file.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {
    return std::unexpected(std::vector<FileProblem>{{{}, "cannot read '" + path + "'"}});
  }
  return parse_orders(text, cl_ord_id_prefix);
}

}  // namespace affix::inline v0::tools::trade
