// SPDX-License-Identifier: MIT
// Reads ten fields of an ExecutionReport through the generated reader of FIX.4.4: four texts,
// three enums, three decimals, from a message indexed before. QuickFIX reads the same ten
// from a message parsed before: values of the same types by its getField. Every value is
// compared.
#include "affix/fix44/execution_report.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../messages.hpp"
#include "benchmarks.hpp"

#ifdef AFFIX_BENCH_QUICKFIX
#include "../codec_contenders/quickfix_report.hpp"
#endif

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace affix_bench {

namespace {

namespace fix44 = affix::fix44;
namespace messages = affix::messages;
namespace wire = affix::wire;

/// Values of a fill that an order manager keeps.
struct Report {
  std::string_view cl_ord_id;
  std::string_view order_id;
  std::string_view exec_id;
  std::string_view symbol;
  fix44::ExecType exec_type;
  fix44::OrdStatus ord_status;
  fix44::Side side;
  messages::Qty last_qty;
  messages::Price last_px;
  messages::Qty cum_qty;
};

/// Fills the report up to the first missing or wrong field; then returns false.
[[gnu::always_inline]] inline bool read_report(const fix44::ExecutionReport& message,
                                               Report& report) {
  const auto take = [](const auto& read, auto& value) {
    if (read) [[likely]] {
      value = *read;
      return true;
    }
    return false;
  };
  return take(message.cl_ord_id(), report.cl_ord_id) && take(message.order_id(), report.order_id) &&
         take(message.exec_id(), report.exec_id) && take(message.symbol(), report.symbol) &&
         take(message.exec_type(), report.exec_type) &&
         take(message.ord_status(), report.ord_status) && take(message.side(), report.side) &&
         take(message.last_qty(), report.last_qty) && take(message.last_px(), report.last_px) &&
         take(message.cum_qty(), report.cum_qty);
}

struct Texts {
  std::string_view values[10];
};

/// The same ten as texts: the cost of the look-ups alone.
template <std::uint32_t... Tags>
[[gnu::always_inline]] inline Texts read_texts(const wire::MessageView& message) {
  return {{message.value_or_null(Tags)...}};
}

std::string decimal_text(affix::base::Decimal value) {
  value = value.normalized();
  return std::to_string(value.mantissa) + "e" + std::to_string(value.exponent);
}

/// One index for the process, as for one connection.
struct Indexed {
  Indexed() { wire::index_message(execution_report_248.view(), index); }

  wire::FieldIndexOf<64> index;
};

std::string affix_reading(const Indexed& indexed) {
  std::string text = "refused";
  const wire::MessageView view(execution_report_248.view(), indexed.index);
  const auto message = fix44::ExecutionReport::from(view);
  if (message) {
    Report report;
    if (read_report(*message, report)) {
      text = std::string(report.cl_ord_id) + " " + std::string(report.order_id) + " " +
             std::string(report.exec_id) + " " + std::string(report.symbol) + " " +
             std::string(code_of(report.exec_type)) + std::string(code_of(report.ord_status)) +
             std::string(code_of(report.side)) + " " + decimal_text(report.last_qty.decimal()) +
             " " + decimal_text(report.last_px.decimal()) + " " +
             decimal_text(report.cum_qty.decimal());
    }
  }
  return text;
}

#ifdef AFFIX_BENCH_QUICKFIX
std::string quickfix_reading() {
  QuickfixReport report;
  quickfix_read_report(report);
  // QuickFIX's prices are binary; those here have an exact form of at most four decimals.
  const auto decimal = [](double value) {
    return decimal_text({static_cast<std::int64_t>(value * 10000 + 0.5), -4});
  };
  return report.cl_ord_id + " " + report.order_id + " " + report.exec_id + " " + report.symbol +
         " " + report.exec_type + report.ord_status + report.side + " " + decimal(report.last_qty) +
         " " + decimal(report.last_px) + " " + decimal(report.cum_qty);
}
#endif

}  // namespace

void add_typed_read_benchmarks(std::vector<Benchmark>& benchmarks) {
  Benchmark benchmark{"typed_read10",
                      "ExecutionReport of 248 bytes, indexed before; four texts, three enums and "
                      "three decimals by the generated reader (QuickFIX: getField, parsed before)",
                      {}};
  const auto indexed = std::make_shared<Indexed>();
  benchmark.contenders.push_back({"affix",
                                  [indexed](std::size_t count) {
                                    const wire::FieldIndex* index = &indexed->index;
                                    Report report;
                                    for (std::size_t done = 0; done < count; ++done) {
                                      hide(index);
                                      // As made by a dispatcher. Not const: decision 009.
                                      fix44::ExecutionReport message(
                                          wire::MessageView(execution_report_248.view(), *index));
                                      bool good = read_report(message, report);
                                      keep(&report);
                                      hide(good);
                                    }
                                  },
                                  [indexed] { return affix_reading(*indexed); },
                                  {}});
#ifdef AFFIX_BENCH_QUICKFIX
  quickfix_parse_report(execution_report_248.bytes.data(), execution_report_248.size);
  benchmark.contenders.push_back({"quickfix",
                                  [](std::size_t count) {
                                    static QuickfixReport report;
                                    for (std::size_t done = 0; done < count; ++done) {
                                      quickfix_read_report(report);
                                      keep(&report);
                                    }
                                  },
                                  quickfix_reading,
                                  {}});
#endif
  benchmark.contenders.push_back({"affix-texts",
                                  [indexed](std::size_t count) {
                                    const wire::FieldIndex* index = &indexed->index;
                                    for (std::size_t done = 0; done < count; ++done) {
                                      hide(index);
                                      const Texts texts =
                                          read_texts<11, 37, 17, 55, 150, 39, 54, 32, 31, 14>(
                                              {execution_report_248.view(), *index});
                                      keep(&texts);
                                    }
                                  },
                                  {},
                                  {}});
  benchmarks.push_back(std::move(benchmark));
}

}  // namespace affix_bench
