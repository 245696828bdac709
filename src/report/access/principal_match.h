#pragma once

#include <string>
#include <string_view>

#include "access/places.h"
#include "reconcilers/principals.h"

namespace bindery::report {

using Match = reconcilers::PrincipalMatch;

/// A principal that is compared with many, by the rules of a kind.
class AskedPrincipal {
 public:
  /// `rules` may be null: the principals have one spelling. `places`: the known projects; outlive
  /// this object.
  AskedPrincipal(const reconcilers::PrincipalRules* rules, const std::string& asked,
                 const access::Places& places);

  [[nodiscard]] Match FindMatch(const std::string& granted) const;
  /// No principal of the kind's provider: nobody stands for such a text, and only a policy that
  /// names the text itself gives the text anything.
  [[nodiscard]] bool foreign() const { return foreign_; }

 private:
  /// The principal names one project by the number of another one.
  [[nodiscard]] bool IsNobody(const std::string& normal) const;

  const reconcilers::PrincipalRules* rules_;
  const access::Places* places_;
  std::string normal_;
  bool foreign_;
  bool nobody_;
};

/// The members of a group-like principal, in words; empty for a single principal.
[[nodiscard]] std::string_view MembershipNote(std::string_view principal);

/// Whether the text has the form of a principal of some provider.
[[nodiscard]] bool HasPrincipalForm(std::string_view text);

/// "user:ana@example.com" for "USER:ana@example.com " and other texts that are nearly a principal;
/// empty for further texts.
[[nodiscard]] std::string FindMeantPrincipal(std::string_view text);

/// The plain principal of a provider's spelling of a deleted one; the principal itself otherwise.
[[nodiscard]] std::string Undeleted(const std::string& principal);

/// Equal for two spellings that every provider takes for the same principal.
[[nodiscard]] std::string CommonNormalForm(const std::string& principal);

}  // namespace bindery::report
