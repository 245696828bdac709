#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::server {

// Parts of the strict bodies of requests: kInvalidArgument for what does not fit.

[[nodiscard]] tl::unexpected<Error> BadBody(std::string message);

/// An object without further members. `what` names the object in messages: "the request body".
[[nodiscard]] Expected<void> CheckMembers(const Json& object,
                                          const std::vector<std::string>& members,
                                          const std::string& what);

/// The body as an object without further members.
[[nodiscard]] Expected<Json> ReadObject(std::string_view body,
                                        const std::vector<std::string>& members);

/// The strings of a list, none empty.
[[nodiscard]] Expected<std::vector<std::string>> ReadNameList(const Json& list);

}  // namespace bindery::server
