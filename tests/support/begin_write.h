#pragma once

#include <cstdint>
#include <future>
#include <utility>

#include "store/ports/state_writer.h"

namespace bindery::testing {

/// Records that a write is about to happen, and waits until that is durable.
[[nodiscard]] inline Expected<std::int64_t> BeginWrite(store::StateWriter& store,
                                                       store::IntentRecord intent) {
  std::promise<Expected<std::int64_t>> begun;
  store.BeginWrite(std::move(intent),
                   [&begun](Expected<std::int64_t> id) { begun.set_value(std::move(id)); });
  return begun.get_future().get();
}

}  // namespace bindery::testing
