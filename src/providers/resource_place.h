#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/access/target.h"

namespace bindery::providers {

/// Resources inside a target, as conditions see them.
struct TargetPart {
  std::string service = {};  ///< resource.service; empty: any.
  std::string type = {};     ///< resource.type; empty: any.
  std::string begin = {};    ///< How resource.name begins; empty: in any way.
  /// All values of resource.name: "*" stands for a text without slashes, "**" for any text. Empty:
  /// unknown.
  std::string form = {};
};

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
  /// The beginning of resource.type: "HOST/". Empty: unknown.
  std::string type_begin = {};
  /// Inherited conditions may be about these resources: all sorts that can be inside the target.
  std::vector<TargetPart> parts = {};
  /// "secretmanager.secrets": permissions of this type are asked of the target. Empty: unknown.
  std::string permissions = {};
};

/// Pure. Defined by the only cloud whose policies are inherited.
[[nodiscard]] ResourcePlace PlaceOfTarget(const Target& target);

/// The target with the policy of an organization, a folder or a project: of "projects/acme".
/// Nothing for other names.
[[nodiscard]] std::optional<Target> TargetOfContainer(const std::string& container);

/// The target of a full resource name that is on no record. Without a kind: the target of a name
/// that several kinds have, and whose host is not given, and of a name below a container that no
/// kind has. Nothing for other texts.
[[nodiscard]] std::optional<Target> TargetNamed(const std::string& name);

}  // namespace bindery::providers
