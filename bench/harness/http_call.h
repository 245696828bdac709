#pragma once

#include <string>

#include "core/base/json.h"

namespace bindery::bench {

struct HttpCall {
  std::string method = "GET";
  std::string url;
  std::string body = {};
  std::string socket = {};  ///< Of a UNIX socket to go through.
  double timeout_seconds = 600;
};

struct HttpAnswer {
  int status = 0;    ///< 0: none came.
  std::string body;  ///< Or why none came.
};

/// One call on this thread's kept connection.
[[nodiscard]] HttpAnswer Send(const HttpCall& call);
/// The body of a 200 as JSON; throws for anything else.
[[nodiscard]] Json SendForJson(const HttpCall& call);

}  // namespace bindery::bench
