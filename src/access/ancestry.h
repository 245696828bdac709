#pragma once

#include <map>
#include <string>
#include <vector>

#include "access/places.h"
#include "core/access/target.h"
#include "providers/resource_place.h"

namespace bindery::access {

/// Whose policies give access to a target, beside its own.
struct Ancestry {
  /// False: the cloud of the target has no inheritance.
  bool inherits = false;
  /// Nearest first: the resources around the target, then its containers up to the organization.
  std::vector<Target> above = {};
  /// Why `above` may have an end too early, and what else is not known; a line each.
  std::vector<std::string> gaps = {};
  /// The attributes of the target in conditions, with all known values of each: resource.name has
  /// the id or the number of the project. Without unknown ones.
  std::map<std::string, std::vector<std::string>> attributes = {};
  /// As ResourcePlace::type_begin.
  std::string type_begin = {};
  /// TargetPart::form of the target itself.
  std::string name_form = {};
  /// All sorts of resources that can be inside the target, with all known beginnings of names.
  std::vector<providers::TargetPart> parts = {};
  /// As ResourcePlace::permissions.
  std::string permissions = {};
};

/// Who inherits from whom, by the names of targets and by the containers that a scan found. The
/// policy of a container applies to everything below the container.
///
/// `scanned_place`: the container of a target whose name does not tell a container; may be empty.
/// Pure.
[[nodiscard]] Ancestry FindAncestry(const Target& target, const std::string& scanned_place,
                                    const Places& places);

}  // namespace bindery::access
