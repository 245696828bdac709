#pragma once

#include <string>

#include "controller/claims/catalog_settings.h"
#include "controller/evidence/claim_ages.h"

namespace bindery::controller {

/// A digest of the settings about removals: settings with the same removals have the same digest.
/// Pure.
[[nodiscard]] std::string RemovalRulesDigest(const CatalogSettings& settings);

/// By other rules more may go: nothing counts as settled any more. The configuration may be half of
/// what it is to be, as a manifest may.
void DoubtRemovals(Claims& claims, RemovalEvidence& evidence, ClaimAges& ages);

}  // namespace bindery::controller
