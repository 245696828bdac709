#pragma once

// Private to the reading of seeds: fields of a document, and what is said when they are wrong.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/seed.h"
#include "yaml/node.h"

namespace bindery::emulator {

/// The first fault ends the reading, wherever it is found. Thrown by the functions below and caught
/// by ReadSeed: sections are read many calls deep.
struct SeedFault {
  yaml::Position at;
  std::string message;
};

[[noreturn]] void FaultAt(const yaml::Node& node, std::string message);

/// The node, of the required kind; `what` is its name in the message.
const yaml::Node& NeedKind(const yaml::Node& node, yaml::NodeKind kind, const std::string& what);

/// Any scalar as text: ids may look like numbers.
[[nodiscard]] std::string Text(const yaml::Node& node, const std::string& what);

/// The first field of the names, or nullptr.
[[nodiscard]] const yaml::Node* Find(const yaml::Node& map,
                                     std::initializer_list<std::string_view> names);

/// The text under one of the names, the first of which is correct; empty when optional.
[[nodiscard]] std::string Field(const yaml::Node& map,
                                std::initializer_list<std::string_view> names, bool required);

void RefuseUnknown(const yaml::Node& map, const std::vector<std::string>& known);

/// A list of globs, and of {permission, resources}.
[[nodiscard]] Json ReadPermissions(const yaml::Node& list);

// One item of each section about identities.
[[nodiscard]] Entry ReadCredential(const yaml::Node& item);
[[nodiscard]] Entry ReadServiceAccount(const yaml::Node& item);
[[nodiscard]] Entry ReadRefreshToken(const yaml::Node& item);
[[nodiscard]] Entry ReadIdentityPool(const yaml::Node& item);
// Of Resource Manager.
[[nodiscard]] Entry ReadProject(const yaml::Node& item);
[[nodiscard]] Entry ReadFolder(const yaml::Node& item);
// Of Cloud Identity.
[[nodiscard]] Entry ReadGroup(const yaml::Node& item);
// Of Privileged Access Manager.
[[nodiscard]] Entry ReadEntitlement(const yaml::Node& item);
[[nodiscard]] Entry ReadPrivilegedGrant(const yaml::Node& item);
/// The project, folder or organization of a grant, without a policy; an empty section where the
/// grant names none.
[[nodiscard]] Entry ResourceOfGrant(const Entry& grant);
/// The section as a whole.
[[nodiscard]] Entry ReadMetadata(const yaml::Node& node);
[[nodiscard]] Entry ReadOptions(const yaml::Node& node);

}  // namespace bindery::emulator
