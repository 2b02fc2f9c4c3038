// SPDX-License-Identifier: MIT
// Loading: from file to model, for the pair of dictionaries of a FIXT session and for the largest
// file.
#include "affix/dictionary.hpp"

#include "benchmarks.hpp"

#ifdef AFFIX_BENCH_QUICKFIX
#include "quickfix_dictionary.hpp"
#endif

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace affix_bench {

namespace {

using affix::dictionary::Dictionary;
using affix::dictionary::Loaded;

const std::string folder = AFFIX_DICTIONARIES "/";

// Text about a loaded dictionary, so that a contender that did not load it gets no figure.
std::string reading_of(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) {
    const Loaded loaded = affix::dictionary::load(file);
    if (!loaded) {
      return "not loaded";
    }
    const Dictionary& dictionary = *loaded.dictionary;
    text += dictionary.find_message_by_type("A") != nullptr ? "A" : "";
    text += dictionary.find_message_by_type("D") != nullptr ? "D" : "";
    const affix::dictionary::Field* field = dictionary.find_field(58);
    text += (field != nullptr ? field->name : "none") + " ";
  }
  return text;
}

Contender affix_contender(const std::vector<std::string>& files) {
  return {"affix",
          [files](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              for (const std::string& file : files) {
                const Loaded loaded = affix::dictionary::load(file);
                keep(&loaded);
              }
            }
          },
          [files] { return reading_of(files); },
          {}};
}

#ifdef AFFIX_BENCH_QUICKFIX
Contender quickfix_contender(const std::vector<std::string>& files) {
  return {"quickfix",
          [files](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              for (const std::string& file : files) {
                quickfix_load(file.c_str());
              }
            }
          },
          [files] {
            std::string text;
            for (const std::string& file : files) {
              text += quickfix_dictionary_reading(file.c_str());
            }
            return text;
          },
          {}};
}
#endif

void add(std::vector<Benchmark>& benchmarks, const std::string& name,
         const std::vector<std::string>& files) {
  Benchmark benchmark{name, "file to model, the operating system's cache warm", {}};
  benchmark.contenders.push_back(affix_contender(files));
#ifdef AFFIX_BENCH_QUICKFIX
  benchmark.contenders.push_back(quickfix_contender(files));
#endif
  benchmarks.push_back(std::move(benchmark));
}

}  // namespace

void add_load_benchmarks(std::vector<Benchmark>& benchmarks) {
  add(benchmarks, "load FIX44", {folder + "FIX44.xml"});
  add(benchmarks, "load FIXT11 and FIX50SP2", {folder + "FIXT11.xml", folder + "FIX50SP2.xml"});
}

}  // namespace affix_bench
