#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::emulator {

struct Options {
  std::string listen = "127.0.0.1:9818";  ///< "host:port"; port 0 for any free one.
  std::string store = ":memory:";         ///< The SQLite file; ":memory:" keeps nothing.
  std::string seed;                       ///< A YAML or JSON file; empty for none.
  std::size_t most_connections = 1024;    ///< Beyond: the one that was idle longest is closed.
  const Clock* clock = nullptr;  ///< Null: the system's. Must outlive the emulator otherwise.
};

/// The embedded cloud: the calls of every provider on one HTTP listener, and
/// their administration under /_emulator. docs/emulator.md describes the served
/// calls.
class Emulator {
 public:
  /// Opens the store, adds what the seed file names and the store does not hold, and serves.
  /// kInvalidArgument with "file:line:column" for a bad seed, kNotFound for a missing one; the
  /// errors of httpd::Server::Start and sqlite::OpenDatabase.
  [[nodiscard]] static Expected<std::unique_ptr<Emulator>> Start(const Options& options);

  /// Stops.
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  [[nodiscard]] std::string Url() const;  ///< "http://127.0.0.1:9818"
  [[nodiscard]] std::uint16_t Port() const;

  /// Answers running calls (up to 2 s) except delayed calls, which are dropped; closes afterwards.
  /// Idempotent. Blocks.
  void Stop();

 private:
  struct Parts;
  explicit Emulator(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace bindery::emulator
