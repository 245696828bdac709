#pragma once

#include <future>

#include "fixture.h"

namespace bindery::testing {

/// Keeps the writer of a store busy, so that what is submitted next waits together.
class HeldWriter {
 public:
  explicit HeldWriter(store::Store& store) {
    std::promise<void> blocked;
    store.Submit(EventChange("Block"), [&blocked, released = released_.get_future().share()](
                                           const Expected<void>& result) {
      EXPECT_THAT(result, IsOk());
      blocked.set_value();
      released.wait();
    });
    blocked.get_future().wait();
  }
  void Release() { released_.set_value(); }

 private:
  std::promise<void> released_;
};

}  // namespace bindery::testing
