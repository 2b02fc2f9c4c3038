// SPDX-License-Identifier: MIT
// Cost of a dictionary for each message. All contenders use the same files and bytes; besides the
// valid messages that are timed, all judge broken ones, and a contender with different verdicts
// gets no figure.
#include "affix/dictionary/load.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../messages.hpp"
#include "benchmarks.hpp"
#include "judged_messages.hpp"

#ifdef AFFIX_BENCH_QUICKFIX
#include "../codec_contenders/quickfix_validation.hpp"
#endif

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix_bench {

namespace {

namespace dictionary = affix::dictionary;
namespace wire = affix::wire;

constexpr const char* transport_path = AFFIX_DICTIONARIES "/FIXT11.xml";
constexpr const char* application_path = AFFIX_DICTIONARIES "/FIX50SP2.xml";

/// Faults that QuickFIX and affix name alike in QuickFIX's order.
constexpr std::string_view broken_bodies[] = {
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|55=X|54=1|38=1|40=2|60=20251231-17:42:03|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=1|38=x|40=2|60=20251231-17:42:03|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=!|38=1|40=2|60=20251231-17:42:03|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=|38=1|40=2|60=20251231-17:42:03|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|11=2|54=1|38=1|40=2|60=20251231-17:42:03|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=1|38=1|40=2|60=20251231-17:42:03|9999=1|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=1|38=1|40=2|60=20251231-17:42:03|150=F|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=1|38=1|40=2|60=20251231-17:42:03|115=X|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=1|38=1|40=2|60=20251231-17:42:03|453=2|448="
    "P|",
    "35=ZZ|34=2|49=C|52=20251231-17:42:03|56=E|11=1|",
    "35=D|34=2|49=C|52=20251231-17:42:03|56=E|11=1|54=1|38=1|40=2|60=20251231-17:42|",
};

/// Our tables.
struct Compiled {
  Compiled() {
    auto transport = dictionary::load(transport_path);
    auto application = dictionary::load(application_path);
    if (!transport || !application) {
      std::fprintf(stderr, "the dictionaries beside this program's sources cannot be read\n");
      std::exit(2);
    }
    auto compiled = dictionary::Validator::compile(*transport.dictionary, *application.dictionary);
    if (!compiled) {
      std::fprintf(stderr, "%s\n", compiled.error().text().c_str());
      std::exit(2);
    }
    validator = std::make_unique<dictionary::Validator>(std::move(*compiled));
  }

  std::unique_ptr<dictionary::Validator> validator;
};

/// Dictionaries of all contenders, made once for all rows.
struct Dictionaries : Compiled {
#ifdef AFFIX_BENCH_QUICKFIX
  QuickfixDictionaries quickfix{transport_path, application_path};
#endif
};

/// State of one session.
struct Session {
  wire::FieldIndexOf<256> index;
  dictionary::Shapes shapes;
};

Session the_session;

enum class Work { Index, Validate, ValidateUnknown };

template <Work work>
void run_affix(const Dictionaries& dictionaries, const Message& message, std::size_t count) {
  Session& session = the_session;
  for (std::size_t done = 0; done < count; ++done) {
    const char* bytes = message.bytes.data();
    hide(bytes);
    const std::string_view text(bytes, message.size);
    wire::index_message(text, session.index);
    const wire::MessageView view(text, session.index);
    if constexpr (work == Work::Index) {
      keep(&session.index);
    } else {
      bool clean = false;
      if constexpr (work == Work::Validate) {
        clean = dictionaries.validator->clean(view, dictionary::Rules::all(),
                                              dictionary::FaultOrder::Message, session.shapes);
      } else {
        clean = dictionaries.validator->clean(view, dictionary::Rules::all());
      }
      hide(clean);
    }
  }
}

std::string verdict_text(int reason, int tag) {
  return std::to_string(reason) + "/" + std::to_string(tag) + " ";
}

std::vector<Message> judged_messages(const Message& timed) {
  std::vector<Message> messages{timed};
  for (const std::string_view body : broken_bodies) {
    messages.push_back(make_message("FIXT.1.1", body));
  }
  return messages;
}

std::string affix_reading(const Dictionaries& dictionaries, const Message& timed) {
  std::string text;
  for (const Message& message : judged_messages(timed)) {
    wire::index_message(message.view(), the_session.index);
    const wire::MessageView view(message.view(), the_session.index);
    const auto violation = dictionaries.validator->validate(view, dictionary::Rules::all(),
                                                            dictionary::FaultOrder::Quickfix);
    // The first fault in the message may differ, but it must find one where QuickFIX does.
    const bool clean = dictionaries.validator->clean(
        view, dictionary::Rules::all(), dictionary::FaultOrder::Message, the_session.shapes);
    if (clean == violation.has_value()) {
      return "contradicts itself";
    }
    text += violation ? verdict_text(violation->reason,
                                     violation->has_tag ? static_cast<int>(violation->tag) : -1)
                      : verdict_text(-1, -1);
  }
  return text;
}

Benchmark validation_benchmark(std::string name, std::string about,
                               const std::shared_ptr<const Dictionaries>& dictionaries,
                               const Message& message) {
  Benchmark benchmark{std::move(name),
                      std::move(about) +
                          "; index and checks of bytes in the first-level cache, by "
                          "FIXT11.xml and FIX50SP2.xml",
                      {}};
  const auto reading = [=] { return affix_reading(*dictionaries, message); };
  benchmark.contenders.push_back(
      {"affix",
       [=](std::size_t count) { run_affix<Work::Validate>(*dictionaries, message, count); },
       reading,
       {}});
  benchmark.contenders.push_back(
      {"affix-unknown-shape",
       [=](std::size_t count) { run_affix<Work::ValidateUnknown>(*dictionaries, message, count); },
       reading,
       {}});
#ifdef AFFIX_BENCH_QUICKFIX
  benchmark.contenders.push_back({"quickfix",
                                  [=](std::size_t count) {
                                    for (std::size_t done = 0; done < count; ++done) {
                                      const char* bytes = message.bytes.data();
                                      hide(bytes);
                                      QuickfixVerdict verdict = quickfix_parse_and_validate(
                                          dictionaries->quickfix, bytes, message.size);
                                      hide(verdict.reason);
                                    }
                                  },
                                  [=] {
                                    std::string text;
                                    for (const Message& judged : judged_messages(message)) {
                                      const QuickfixVerdict verdict = quickfix_parse_and_validate(
                                          dictionaries->quickfix, judged.bytes.data(), judged.size);
                                      text += verdict_text(verdict.reason, verdict.tag);
                                    }
                                    return text;
                                  },
                                  {}});
  benchmark.contenders.push_back({"floor-quickfix-parse",
                                  [=](std::size_t count) {
                                    for (std::size_t done = 0; done < count; ++done) {
                                      const char* bytes = message.bytes.data();
                                      hide(bytes);
                                      bool good = quickfix_parse_with(dictionaries->quickfix, bytes,
                                                                      message.size);
                                      hide(good);
                                    }
                                  },
                                  {},
                                  {}});
#endif
  benchmark.contenders.push_back(
      {"floor-index",
       [=](std::size_t count) { run_affix<Work::Index>(*dictionaries, message, count); },
       {},
       {}});
  return benchmark;
}

}  // namespace

void add_validation_benchmarks(std::vector<Benchmark>& benchmarks) {
  const auto dictionaries = std::make_shared<const Dictionaries>();
  benchmarks.push_back(validation_benchmark(
      "validate_nos", "NewOrderSingle of 212 bytes with two parties", dictionaries, order_212));
  benchmarks.push_back(validation_benchmark(
      "validate_er30", "ExecutionReport of 30 fields with two groups", dictionaries, report_30));
}

}  // namespace affix_bench
