#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/access/grant.h"
#include "reconcilers/project_identity.h"

namespace bindery::reconcilers {

/// The relation of a grant's principal to the principal in question.
enum class PrincipalMatch {
  kNone,
  kSame,
  kDeleted,     ///< It was the one asked about, and is deleted.
  kContains,    ///< It stands for everyone of the kind asked about.
  kMayContain,  ///< It stands for others too, perhaps for this one: membership is not known.
};

/// How a provider spells and compares principals. All functions are pure.
struct PrincipalRules {
  /// The form in which two spellings of one principal are equal. For comparison only, never for
  /// writing.
  std::string (*normal)(const std::string& principal);
  /// The plain principal, in its normal form, for the spelling of a deleted principal; empty for
  /// further principals.
  std::string (*deleted)(const std::string& principal);
  /// The relation of two principals that are neither equal nor deleted; both in their normal forms,
  /// and the asked one with the form of a principal. kSame: two names of one principal.
  PrincipalMatch (*match)(std::string_view granted, std::string_view asked);
  /// The members of a group-like principal, in words; empty for a single principal.
  std::string_view (*membership)(std::string_view principal);
  /// Whether the text has the form of a principal, of a deleted one too. What others are called is
  /// nobody here.
  bool (*is_principal)(std::string_view text);
  /// What principals begin with: "user:".
  std::span<const std::string_view> types;
  /// The project that a principal names by id and by number at once; empty texts for further
  /// principals. A principal whose number is that of another project is nobody. Null: none does so.
  ProjectIdentity (*project)(std::string_view principal) = nullptr;
};

/// The form in which spellings compare without case: ids that are UUIDs, and where the kind does
/// not matter.
[[nodiscard]] std::string NormalPrincipal(const std::string& principal);

/// Whether two grants give the same role to the same principal, under any conditions.
[[nodiscard]] bool SameHolder(const Grant& left, const Grant& right);

/// Whether the text begins with one of the prefixes: "user:", "group:".
[[nodiscard]] bool HasAnyPrefix(std::string_view text, std::span<const std::string_view> prefixes);

}  // namespace bindery::reconcilers
