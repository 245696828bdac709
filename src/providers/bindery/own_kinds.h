#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "cloud/connection.h"
#include "core/access/target.h"
#include "core/base/json.h"
#include "core/settings/accepted_drift.h"
#include "reconcilers/kind.h"

namespace bindery::providers {

// Kinds that are no resource of a cloud, but say something to bindery itself.

/// The provider type of the kinds, and the name of their only provider. No configuration has it.
inline constexpr const char* kOwnProvider = "bindery";

/// New objects.
[[nodiscard]] std::vector<std::unique_ptr<reconcilers::Kind>> MakeOwnKinds();

/// What calls for the kinds go over: every request is answered with an empty object, in the
/// process.
[[nodiscard]] std::shared_ptr<const cloud::Connection> OwnConnection();

/// What all manifests of the kind AcceptedDrift are on.
[[nodiscard]] const Target& AcceptedDriftTarget();

/// The rule that a checked spec of the kind declares; nothing where it is no whole rule.
[[nodiscard]] std::optional<AcceptedDriftRule> AcceptedDriftRuleIn(const Json& spec);

}  // namespace bindery::providers
