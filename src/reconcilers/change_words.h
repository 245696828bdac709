#pragma once

#include <string>
#include <string_view>

#include "reconcilers/grant_change.h"

namespace bindery::reconcilers {

/// How a grant is held: "granted", "granted if …".
[[nodiscard]] std::string GrantInWords(const Grant& grant);

/// The two sides of a difference. They are never the same text.
struct SidesInWords {
  std::string desired;   ///< As DriftItem::desired.
  std::string observed;  ///< As DriftItem::observed.
};
[[nodiscard]] SidesInWords DescribeSides(const GrantChange& change);

/// The same of two conditions: title and expression, and the description where nothing else
/// differs.
[[nodiscard]] SidesInWords ConditionsInWords(const Grant& desired, const Grant& observed);

/// "guard", "evidence", "accepted drift" …; "" for kNone.
[[nodiscard]] std::string_view ToString(Gate gate);

/// The message for the manifest of a principal that the policy shows as deleted.
[[nodiscard]] std::string DeletedPrincipalText(const GrantChange& change);

}  // namespace bindery::reconcilers
