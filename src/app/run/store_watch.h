#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "store/ports/store_health.h"

namespace bindery::app {

/// Looks every few seconds whether the store still is what was opened and takes writes, on a
/// separate thread: a file system that hangs blocks nothing else.
class StoreWatch {
 public:
  static constexpr std::chrono::seconds kPeriod{2};
  /// A longer look is a fault.
  static constexpr std::chrono::seconds kLongestLook{10};
  /// Looks that must find nothing at the path before the store is given up: it may come back.
  static constexpr int kPatience = 3;

  /// Called on the watch's thread, or on that of LookAtWatch().
  struct Told {
    std::function<void(const Error*)> state;  ///< What is wrong; null: nothing.
    std::function<void(const store::StoreFault&)>
        lost;                           ///< Only opening the store again helps. Once.
    std::function<bool()> writes_fail;  ///< A try at writing is due.
  };

  /// `store` and `clock` must outlive the object.
  StoreWatch(store::StoreHealth& store, const Clock& clock, Told told);
  ~StoreWatch();
  StoreWatch(const StoreWatch&) = delete;
  StoreWatch& operator=(const StoreWatch&) = delete;

  /// Looks from now on.
  void Start();

  /// Looks once, on the caller's thread.
  void LookNow();

  /// From any thread, every so often: tells when a look hangs.
  void LookAtWatch();

 private:
  void Run();

  store::StoreHealth& store_;
  const Clock& clock_;
  const Told told_;

  // The watch's own.
  bool failing_ = false;
  int times_lost_ = 0;
  bool given_up_ = false;

  std::atomic<MonoTime::rep> began_{0};  ///< The look under way; 0: none.
  Mutex mutex_;
  CondVar wake_;
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  ///< Last: it uses all of the above.
};

}  // namespace bindery::app
