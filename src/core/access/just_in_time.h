#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/access/grant.h"
#include "core/base/clock.h"

namespace bindery {

/// The proof that access was given on request, for some time, and is no imitation.
enum class JustInTimeProof {
  kGrant,  ///< By what the service says of it.
  kForm,   ///< By the form of its condition, which anybody can write.
};

/// How long after its end such access may still be in the policy: the service removes it. Later
/// remains do not count as the service's.
inline constexpr std::chrono::minutes kJustInTimeGrace{15};

/// The service's answer about a grant that looks like its own.
struct JustInTimeAnswer {
  enum class Verdict {
    kActive,   ///< It gave that access, and has not taken it back.
    kNone,     ///< It knows of no such access.
    kNotTold,  ///< It cannot be asked, or not for all that may have given it.
  };
  Grant grant;
  Verdict verdict = Verdict::kNotTold;
  std::string detail = {};           ///< Of kActive its name; of kNotTold why.
  std::optional<WallTime> end = {};  ///< Of kActive.
};
using JustInTimeAnswers = std::vector<JustInTimeAnswer>;

/// The known just-in-time access when a policy is compared.
struct JustInTime {
  JustInTimeProof proof = JustInTimeProof::kGrant;
  JustInTimeAnswers answers = {};
};

/// The meaning of a grant's form: possible just-in-time access.
struct JustInTimeForm {
  WallTime end;              ///< From then on its condition holds at no time.
  bool marked = false;       ///< It carries the mark of the service: nothing else looks so.
  const char* service = "";  ///< For people.
};

}  // namespace bindery
