#pragma once

#include <memory>
#include <string>

#include "harness/child_process.h"
#include "harness/files.h"

namespace bindery::bench {

/// nginx in a single process, which serves files over a UNIX socket. The floor of an answer: the
/// same bytes, from a file.
class StaticServer {
 public:
  /// Whether nginx is on this machine.
  [[nodiscard]] static bool Installed();

  StaticServer();

  /// From now on GET http://nginx/NAME has these bytes.
  void Put(const std::string& name, std::string_view bytes) const;
  [[nodiscard]] std::string Socket() const { return folder_ / "nginx.sock"; }
  [[nodiscard]] const ChildProcess& process() const { return *process_; }

 private:
  TempFolder folder_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace bindery::bench
