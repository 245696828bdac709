#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace bindery::emulator {

/// The projects of the cloud: each has an id and a number, and both are names. The number of an
/// unseeded project follows from its id. Not thread-safe.
class Projects {
 public:
  /// A seeded project, with the given number.
  void Seed(const std::string& id, const std::string& number);
  /// The project at the begin of a resource's name exists.
  void NoteResource(std::string_view name);
  void Clear();

  /// The name with the project's id in place of a known number.
  [[nodiscard]] std::string WithId(const std::string& name) const;
  /// The project `projects/ID` or `projects/NUMBER` in the service's form. Nothing for an unknown
  /// number.
  [[nodiscard]] std::optional<Json> Describe(std::string_view name) const;

 private:
  [[nodiscard]] std::string GetNumber(const std::string& id) const;

  std::map<std::string, std::string> numbers_;  ///< By id, of those that were seeded.
  std::map<std::string, std::string> ids_;      ///< By number.
};

}  // namespace bindery::emulator
