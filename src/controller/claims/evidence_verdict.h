#pragma once

#include <string>

namespace bindery::controller {

/// Whether something may be removed because the directory does not declare it.
enum class EvidenceAnswer {
  kYes,
  kPending,  ///< Time brings the answer.
  kBlocked,  ///< Somebody has to do something in the directory.
  kAsk,      ///< An operator has to approve it.
};

struct EvidenceVerdict {
  EvidenceAnswer answer = EvidenceAnswer::kYes;
  std::string why;  ///< Of any other answer than kYes: what it waits for, in one line.

  bool operator==(const EvidenceVerdict&) const = default;
};

}  // namespace bindery::controller
