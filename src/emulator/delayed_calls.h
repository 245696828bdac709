#pragma once

#include <cstdint>
#include <map>

#include "core/base/mutex.h"
#include "httpd/server.h"

namespace bindery::emulator {

/// The calls delayed by a fault, so that stopping need not wait. Thread-safe.
class DelayedCalls {
 public:
  using Id = std::uint64_t;

  /// Keeps the call until Take(). After DropAll() it is dropped immediately.
  [[nodiscard]] Id Keep(const httpd::Responder& responder);
  /// False when the call was dropped meanwhile: nothing is to be done for it.
  [[nodiscard]] bool Take(Id id);
  /// Closes the connections of delayed calls, and of all later ones.
  void DropAll();

 private:
  Mutex mutex_;
  bool dropping_ GUARDED_BY(mutex_) = false;
  Id last_ GUARDED_BY(mutex_) = 0;
  std::map<Id, httpd::Responder> waiting_ GUARDED_BY(mutex_);
};

}  // namespace bindery::emulator
