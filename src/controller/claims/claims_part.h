#pragma once

#include <set>
#include <string>

#include "core/access/target_key.h"

namespace bindery::controller {

/// Some of all claims. Invariant: the resources in force of each of the targets are among the
/// resources, and the target of each resource is among the targets.
struct ClaimsPart {
  std::set<std::string> resources;
  std::set<TargetKey> targets;
};

}  // namespace bindery::controller
