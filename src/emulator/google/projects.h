#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/json.h"

namespace bindery::emulator {

/// The projects of the cloud: each has an id, which names it, and a number, which does too. One
/// that was not seeded has a number that follows from its id. Not thread-safe.
class Projects {
 public:
  /// A seeded one: its number is as given.
  void Seed(const std::string& id, const std::string& number);
  /// The project that a resource's name begins with is there.
  void NoteResource(std::string_view name);
  void Clear();

  /// The name with the project's id where it has a number that is known.
  [[nodiscard]] std::string WithId(const std::string& name) const;
  /// What `projects/ID` or `projects/NUMBER` names, as the service describes it. A number that no
  /// project here has names none.
  [[nodiscard]] std::optional<Json> Describe(std::string_view name) const;

 private:
  [[nodiscard]] std::string NumberOf(const std::string& id) const;

  std::map<std::string, std::string> numbers_;  ///< By id, of those that were seeded.
  std::map<std::string, std::string> ids_;      ///< By number.
};

}  // namespace bindery::emulator
