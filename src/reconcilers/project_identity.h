#pragma once

#include <string>
#include <string_view>

namespace bindery {

/// The two names of a project.
struct ProjectIdentity {
  std::string id;
  std::string number;
};

/// "projects/12345/…": the number, or empty where the name has none.
[[nodiscard]] std::string ProjectNumberOf(std::string_view name);

}  // namespace bindery
