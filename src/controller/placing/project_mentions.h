#pragma once

#include <string>
#include <vector>

#include "controller/claims/claims.h"
#include "controller/claims/scan_input.h"
#include "controller/placing/placer.h"

namespace bindery::controller {

// Policies with two names, by the id of their project and by its number (ProjectNames): the
// manifests that name such a policy, and the declarations on the policy.

/// Tells the names about every manifest of the scan that may name such a policy, before any has its
/// place: one by id may have to wait for one by number. `news_only`: what did not change needs no
/// second look.
void NoteProjects(const ScanInput& scan, bool news_only, const Placer& placer,
                  const CatalogSettings& settings, ProjectNames& names);

/// The same for the state in force, also where its manifest is gone or names another policy by now.
/// Where the id of each number is known there is nothing to tell.
void NoteClaims(const Claims& claims, ProjectNames& names);

/// A resource of the store whose manifest names a project by number: the answer at the time of its
/// placement still holds. Requires: the kind is known.
void LearnProject(const ResourceEntry& entry, const Target& target, ProjectNames& names);

/// Targets whose name is in doubt: not all declared on them is known while an answer is waited for.
/// Sorted.
[[nodiscard]] std::vector<TargetKey> DoubtedTargets(const Claims& claims,
                                                    const ProjectNames& names);

/// The targets of the project with the id, as named by it. Sorted.
[[nodiscard]] std::vector<TargetKey> TargetsOfProject(const Claims& claims, const std::string& id);

/// The resources on targets of the project known by its number.
[[nodiscard]] std::vector<std::string> DeclaredUnder(const Claims& claims,
                                                     const std::string& number);

}  // namespace bindery::controller
