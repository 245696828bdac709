#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bindery::bench {

/// What targets of one kind look like.
struct TargetForm {
  std::string api_version;  ///< "cloudnative:pubsub/v1"
  std::string kind;         ///< "TopicIamBinding"
  std::string name;         ///< "projects/acme/topics/a-topic", to which the number is added.
  std::string host;         ///< "pubsub.googleapis.com"
};

/// A directory of manifests of one form: bindings with `members` each, `bindings_per_target` roles
/// on each of `targets` authorization policies.
struct Shape {
  std::size_t targets = 1000;
  std::size_t members = 2;  ///< 2 or more.
  std::size_t bindings_per_target = 1;
  std::size_t bindings_per_file = 1;
  /// Further bindings, one on each of so many management servers, in files of their own: those a
  /// workload changes and watches, on a path of their own to the cloud.
  std::size_t probes = 0;
  /// Target i has form i modulo their number; empty: all are authorization policies.
  std::vector<TargetForm> forms = {};
  /// What the number of a role is added to. A role that no warning is about: a restart reads files
  /// with warnings anew.
  std::string role = "projects/acme/roles/r";

  [[nodiscard]] std::size_t bindings() const { return targets * bindings_per_target; }
};

/// "projects/acme/locations/global/authorizationPolicies/p" and the number.
[[nodiscard]] std::string TargetName(std::size_t number);
/// "projects/acme/locations/europe-west1/managementServers/m" and the number.
[[nodiscard]] std::string ProbeName(std::size_t number);

/// Makes the folder with its manifests.
void WriteManifests(const std::string& folder, const Shape& shape);
/// (Re)writes the manifest of one probe, in one rename; `member` is one more of its members unless
/// it is empty.
void WriteProbe(const std::string& folder, std::size_t number, const std::string& member);
/// Rewrites the file of one target's bindings; `member` is one more member of each. Requires:
/// a file holds the bindings of one target.
void WriteTargetFile(const std::string& folder, std::size_t target, const Shape& shape,
                     const std::string& member);
/// (Re)writes the manifest of the binding on target 0 with so many members but the one numbered
/// `without`.
void WriteLongBinding(const std::string& folder, std::size_t members, std::size_t without);
/// One binding of each target and probe, by name.
[[nodiscard]] std::vector<std::string> OneBindingEach(const Shape& shape);
/// What the cloud holds at first: the targets, without policies.
[[nodiscard]] std::string MakeSeed(const Shape& shape);

}  // namespace bindery::bench
