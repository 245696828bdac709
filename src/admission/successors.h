#pragma once

#include <map>
#include <string>
#include <vector>

#include "admission/admission.h"

namespace bindery {

/// Manifests that are kept out because it cannot be told now what they become: each may be a
/// missing one by another name, which then stays in force. One that tells its place may be those
/// that claim the same there. One that does not may be any on targets of the kind, unless it waited
/// already when that one was still found.
class PossibleSuccessors {
 public:
  /// `rejected`: those kept out before claims were compared. Both outlive it.
  PossibleSuccessors(const AdmissionInput& input, const std::vector<Rejected>& rejected);

  /// Which of them that missing one may be, in words; empty: none.
  [[nodiscard]] std::string Of(const InForce& missing) const;

 private:
  struct Placeless {
    const Rejected* any = nullptr;
    const Rejected* newest = nullptr;  ///< The scan before did not know it as it is.
  };

  std::multimap<Target, const Rejected*> placed_;
  std::map<std::string, Placeless> placeless_;  ///< By Target::kind.
};

/// What may hold one that the scan did not find, in words: something unread, or one of them. One
/// that was gone before may be one of them, which appears while its removal waits. Empty: nothing.
[[nodiscard]] std::string MayHold(const InForce& missing, const PossibleSuccessors& successors);

/// Some claim what it claimed, or a part of that.
[[nodiscard]] bool IsTaken(const InForce& missing,
                           const std::map<std::string, Admitted>& candidates);

}  // namespace bindery
