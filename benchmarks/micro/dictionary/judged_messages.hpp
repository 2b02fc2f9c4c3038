// SPDX-License-Identifier: MIT
// Messages for measuring validation; both follow FIXT11.xml and FIX50SP2.xml.
#pragma once

#include "../messages.hpp"

#include <string_view>

namespace affix_bench {

inline constexpr std::string_view order_body =
    "35=D|34=2|49=CLIENT1|52=20251231-17:42:03.736004873|56=EXECUTOR|11=1|55=BMWG.DE|54=1|38=1|44="
    "5|"
    "40=2|59=0|453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|60=20251231-17:42:03.736004873|";
inline constexpr Message order_212 = make_message("FIXT.1.1", order_body);
static_assert(order_212.size == 212);

/// 30 fields, two groups.
inline constexpr Message report_30 = make_message(
    "FIXT.1.1",
    "35=8|34=120457|49=EXCHANGE|52=20251231-18:21:36.457|56=TRADER1|37=ORD1048|17=EX20417|"
    "11=CL88123|453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|150=F|39=1|55=MSFT|54=1|38="
    "1000|"
    "32=250|31=415.2500|151=750|14=250|60=20251231-18:21:36.457|382=1|375=BROKER|437=100|");

}  // namespace affix_bench
