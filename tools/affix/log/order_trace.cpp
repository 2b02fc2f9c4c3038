// SPDX-License-Identifier: MIT
// Follows an order's names from message to message.
#include "log/order_trace.hpp"

#include "log/record_text.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::tools::log {

namespace {

constexpr char separator = '\x01';  // Occurs in no field's value.

/// True for values that engines write for an order without an OrderID.
bool names_no_order(std::string_view order_id) noexcept {
  static constexpr std::array<std::string_view, 7> nothing{"",     "0",       "NONE", "None",
                                                           "none", "UNKNOWN", "N/A"};
  return std::find(nothing.begin(), nothing.end(), order_id) != nothing.end();
}

}  // namespace

OrderTrace::OrderTrace(const std::string& cl_ord_id) : wanted_(cl_ord_id) {
  names_.insert(cl_ord_id);
}

// An OrderID is unique to its issuer: the sender of a report, the target of a request.
std::string OrderTrace::issued_id(const wire::MessageView& message) const {
  const auto id = message.find(37);
  if (!id || names_no_order(*id)) {
    return {};
  }
  const auto issuer = message.find(is_answer(message.type()) ? 49 : 56);
  return std::string(issuer.value_or("")) + separator + std::string(*id);
}

void OrderTrace::learn(std::string_view name) {
  if (!name.empty() && names_.emplace(name).second) {
    grew_ = true;
  }
}

bool OrderTrace::matches(const wire::MessageView& message) {
  const std::string issued = issued_id(message);
  bool known = !issued.empty() && issued_.contains(issued);
  static constexpr std::array<std::uint32_t, 3> name_tags{11, 41, 526};
  for (const std::uint32_t tag : name_tags) {
    const auto name = message.find(tag);
    known = known || (name && names_.contains(*name));
  }
  if (!known) {
    return false;
  }
  for (const std::uint32_t tag : name_tags) {
    learn(message.find(tag).value_or(""));
  }
  if (!issued.empty() && issued_.insert(issued).second) {
    grew_ = true;
  }
  return true;
}

bool OrderTrace::grew() noexcept {
  const bool before = grew_;
  grew_ = false;
  return before;
}

std::vector<std::string> OrderTrace::needles() const {
  std::vector<std::string> all;
  for (const std::string& name : names_) {
    all.push_back('=' + name);
  }
  for (const std::string& issued : issued_) {
    all.push_back("37=" + issued.substr(issued.find(separator) + 1));
  }
  return all;
}

std::string OrderTrace::remark_on(const Entry& entry, const wire::MessageView& message,
                                  const MessageNames& names) {
  std::string remark;
  if (messages_++ == 0) {
    first_ns_ = entry.utc_ns;
    remark = "first";
  } else {
    // A clock that was set back gives a negative time.
    remark = entry.utc_ns == last_ns_ ? "same turn"
                                      : std::string(entry.utc_ns > last_ns_ ? "+" : "") +
                                            duration_text(entry.utc_ns - last_ns_);
  }
  last_ns_ = entry.utc_ns;
  sessions_.emplace(entry.session);
  if (const auto took = requests_.take(entry.session, message, entry.utc_ns)) {
    if (*took == 0) {
      ++in_same_turn_;
      remark += ", answered in the same turn";
    } else if (*took < 0) {
      ++unclear_;
      remark += ", answered before its request";
    } else {
      answers_.push_back(*took);
      remark += " answered in " + duration_text(*took);
    }
  }
  if (message.type() == wire::MsgType("8")) {
    status_ = message.find(39).value_or("");
    status_name_ = names.value(39, status_);
    filled_ = message.find(14).value_or("");
    average_ = message.find(6).value_or("");
  }
  return '[' + remark + ']';
}

std::string OrderTrace::summary() const {
  if (messages_ == 0) {
    return "order " + readable(wanted_) + ": no message\n";
  }
  std::string text = "order " + readable(wanted_) + ": " + std::to_string(messages_) +
                     " messages on " + std::to_string(sessions_.size()) +
                     (sessions_.size() == 1 ? " session" : " sessions");
  if (messages_ > 1) {
    text += last_ns_ == first_ns_
                ? std::string(", in one turn")
                : ", " + duration_text(last_ns_ - first_ns_) + " from first to last";
  }
  text += '\n';
  if (names_.size() > 1) {
    text += "  names";
    for (const std::string& name : names_) {
      text += ' ' + readable(name);
    }
    text += '\n';
  }
  if (!status_.empty()) {
    text += "  last OrdStatus " + readable(status_) +
            (status_name_.empty() ? std::string() : " (" + status_name_ + ")") + ", CumQty " +
            readable(filled_) + ", AvgPx " + readable(average_) + '\n';
  }
  if (!answers_.empty()) {
    const auto [least, most] = std::minmax_element(answers_.begin(), answers_.end());
    text += "  " + std::to_string(answers_.size()) + " requests answered, in " +
            duration_text(*least) + " to " + duration_text(*most) + '\n';
  }
  if (in_same_turn_ != 0) {
    text += "  " + std::to_string(in_same_turn_) + " requests answered in the same turn\n";
  }
  if (unclear_ != 0) {
    text +=
        "  " + std::to_string(unclear_) + " requests not measured: the answer's time is earlier\n";
  }
  if (requests_.count() != 0) {
    text += "  " + std::to_string(requests_.count()) + " requests without an answer\n";
  }
  return text;
}

}  // namespace affix::inline v0::tools::log
