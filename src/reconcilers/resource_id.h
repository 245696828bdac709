#pragma once

#include <string>

namespace bindery::reconcilers {

/// The parts of a provider's id. Kind::ParseId() reads the id.
struct ResourceId {
  std::string target;
  std::string role;  ///< A part of the policy, as ClaimPart. Empty: all there is on the target.

  bool operator==(const ResourceId&) const = default;

  /// The id in full, as Kind::ParseId() takes it: "TARGET ROLE", "TARGET ROLE MEMBER", or the
  /// target alone where all of it is meant.
  [[nodiscard]] std::string Text() const;
};

}  // namespace bindery::reconcilers
