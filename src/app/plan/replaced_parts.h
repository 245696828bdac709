#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "core/base/json.h"
#include "reconcilers/kind.h"

namespace bindery::app {

/// A manifest written by a command.
struct WrittenManifest {
  const reconcilers::Kind* kind = nullptr;
  Json spec = Json::object();
  std::string provider = {};  ///< That reaches its target; empty: the one of its type.
};

/// The parts that manifests of the kinds replace on their targets, and the unchanged parts: a
/// sentence for each shape of a kind and each setting of undeclared roles, in the given order.
/// Nothing for lookups. Pure.
[[nodiscard]] std::vector<std::string> ReplacedParts(const std::vector<WrittenManifest>& manifests,
                                                     const config::Config& config);

}  // namespace bindery::app
