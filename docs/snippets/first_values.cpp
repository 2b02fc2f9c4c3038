// SPDX-License-Identifier: MIT
// Of docs/guide/first_session.md: prices, quantities, times, and a session seen from another
// thread. Compiled, not run.

#include "affix/engine.hpp"
#include "affix/messages/chrono.hpp"
#include "affix/messages/strong_types.hpp"

#include <chrono>
#include <iostream>
#include <optional>
#include <string_view>

using affix::messages::Price;
using affix::messages::Qty;

void show_prices(std::string_view text) {
  const auto price = Price::parse(text);  // Text known at run time: a Result, with the reason.
  if (!price) {
    std::cerr << text << " is no price: " << to_text(price.error()) << '\n';
    return;
  }
  constexpr Price limit("10.50");      // A literal; one that is not a number does not compile.
  const bool dearer = *price > limit;  // By value: 10.5 and 10.50 are equal.
  const auto sum = add(*price, limit);
  const auto spread = subtract(*price, limit);
  const auto lots = add(Qty(100), Qty("0.5"));
  const auto cost = multiply(limit, Qty(300));  // Price by Qty is an Amt.
  if (sum && spread && lots && cost) {          // Empty where 64 bits cannot hold the digits.
    std::cout << dearer << ' ' << to_text(*sum) << ' ' << to_text(*spread) << ' ' << to_text(*lots)
              << ' ' << to_text(*cost) << '\n';
  }
}

void write_times(affix::host::SessionHandle session, affix::wire::Encoder& order) {
  const affix::base::UtcTime turn = session.now().utc();  // The turn's clock, as in tag 52.
  const affix::base::UtcTime exact =
      affix::messages::utc_time(std::chrono::system_clock::now());  // Any std::chrono time.
  order.utc_time(60, turn, affix::wire::TimePrecision::Millis);
  order.utc_time(126, exact, affix::wire::TimePrecision::Micros);
}

bool is_logged_on(affix::host::SessionHandle session) {
  return session.standing() == affix::session::SessionStanding::LoggedOn;  // Any thread.
}
