#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/access/target.h"

namespace bindery::providers {

/// Where a target stands in the hierarchy of its cloud, as far as the name of the target tells.
struct ResourcePlace {
  /// The target inherits the access that policies above the target give. False: the cloud has no
  /// such inheritance.
  bool inherits = false;
  /// The resources around the target that have policies of their own, nearest first. Without
  /// containers.
  std::vector<Target> above = {};
  /// "projects/acme": the container of the target; the target itself if the target is a container.
  /// Empty: the name does not tell the container.
  std::string container = {};
  /// What else gives access to the target, and is in no list of policies; a line each.
  std::vector<std::string> not_listed = {};
  /// The values of attributes in conditions: "resource.type". Without the unknown ones.
  std::map<std::string, std::string> attributes = {};
  /// resource.name in conditions; services have either the id or the number of the project in the
  /// name. Empty: unknown.
  std::string name = {};
};

/// Pure. Defined by the only cloud whose policies are inherited.
[[nodiscard]] ResourcePlace PlaceOfTarget(const Target& target);

/// The target with the policy of an organization, a folder or a project: of "projects/acme".
/// Nothing for other names.
[[nodiscard]] std::optional<Target> TargetOfContainer(const std::string& container);

/// The target of a full resource name that is on no record. A name that several kinds have, and
/// whose host is not given, has a target without a kind. Nothing for other texts.
[[nodiscard]] std::optional<Target> TargetNamed(const std::string& name);

}  // namespace bindery::providers
