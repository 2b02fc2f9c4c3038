// SPDX-License-Identifier: MIT
// Calls of QuickFIX's session for each message that it sends.
#include "quickfix_store.hpp"

#include <quickfix/FileStore.h>
#include <quickfix/SessionID.h>

namespace affix_bench {

namespace {

class Store final : public QuickfixStore {
 public:
  explicit Store(const std::string& directory)
      : factory_(directory),
        session_("FIX.4.4", "FIRM", "VENUE"),
        store_(factory_.create(session_)) {}

  ~Store() override { factory_.destroy(store_); }

  void append(const std::string& message) override {
    store_->set(store_->getNextSenderMsgSeqNum(), message);
    store_->incrNextSenderMsgSeqNum();
  }

 private:
  FIX::FileStoreFactory factory_;
  FIX::SessionID session_;
  FIX::MessageStore* store_;
};

}  // namespace

std::unique_ptr<QuickfixStore> make_quickfix_store(const std::string& directory) {
  return std::unique_ptr<QuickfixStore>(new Store(directory));
}

}  // namespace affix_bench
