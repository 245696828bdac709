#pragma once

#include <map>
#include <string>
#include <vector>

#include "admission/admission.h"

namespace bindery {

/// Manifests that are kept out before it can be told which target they are for: of a name that only
/// the cloud can complete. Each may declare what a missing one declared. By the kind of their
/// targets, in words. Those that refer to others or depend on them hold nothing.
[[nodiscard]] std::map<std::string, std::string> PlacelessByKind(
    const AdmissionInput& input, const std::vector<Rejected>& rejected);

/// What may hold the manifest that the scan did not find, in words: something unread, or else one
/// of `placeless`. Empty: nothing.
[[nodiscard]] std::string MayHold(const InForce& missing,
                                  const std::map<std::string, std::string>& placeless);

}  // namespace bindery
