#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/mutex.h"
#include "store/sql/connection.h"
#include "store/sql/engine.h"
#include "store/sql/engine_error.h"

namespace bindery::store {

/// The read side of a store's database: a kept connection with one read at a time, and a separate
/// connection for each large read. A read sees a single state of the database, and the engine
/// learns of failed reads.
///
/// Threads: any.
class ReadConnections {
 public:
  /// Neither may be null.
  ReadConnections(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> kept);

  [[nodiscard]] Engine& engine() const { return *engine_; }

  /// The result of `read`, called with the kept connection, within a transaction; failures begin
  /// with "read <what>: ".
  template <typename F>
  [[nodiscard]] auto Read(std::string_view what, F&& read) const {
    if (holder_ == std::this_thread::get_id()) {
      return Noted(AttemptRead(what, [&] { return std::forward<F>(read)(*held_); }));
    }
    const MutexLock lock(mutex_);
    return Noted(ReadOn(*kept_, what, std::forward<F>(read)));
  }

  /// Calls `read`, with one transaction for each Read() of this thread meanwhile. Reads of other
  /// threads wait.
  [[nodiscard]] Expected<void> ReadTogether(const std::function<void()>& read) const;

  /// The same on a connection for this read only, without a result. Further reads do not wait.
  template <typename F>
  [[nodiscard]] Expected<void> ReadApart(std::string_view what, F&& read) const {
    const auto connection = engine_->OpenReader();
    if (!connection) return Fail(connection.error());
    return Noted(ReadOn(**connection, what, std::forward<F>(read)));
  }

  /// As Engine::PutBack(), from the kept connection. Reads wait.
  Expected<bool> PutBack();

  /// Closes the connection that is kept; no read may follow.
  void Close();

 private:
  template <typename F>
  static auto AttemptRead(std::string_view what, F&& read) {
    return Attempt("read " + std::string(what), std::forward<F>(read));
  }

  template <typename F>
  static auto ReadOn(Connection& connection, std::string_view what, F&& read) {
    return AttemptRead(what, [&] {
      const ReadTransaction transaction(connection);
      return std::forward<F>(read)(connection);
    });
  }

  template <typename Result>
  Result Noted(Result result) const {
    if (!result) engine_->NoteFailure(result.error());
    return result;
  }

  const std::unique_ptr<Engine> engine_;
  mutable Mutex mutex_;
  std::unique_ptr<Connection> kept_ GUARDED_BY(mutex_);
  /// The thread in ReadTogether(), and its connection: no other thread looks at the connection.
  mutable std::atomic<std::thread::id> holder_ = {};
  mutable Connection* held_ = nullptr;
};

}  // namespace bindery::store
