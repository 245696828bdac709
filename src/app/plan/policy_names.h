#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "access/places.h"
#include "app/directory/declared_manifests.h"

namespace bindery::app {

/// The names of the policies of one import. One policy may go by two names: with the id and with
/// the number of the project; a service account also with the address and with the unique id. For
/// kinds whose names are global. For one thread.
class PolicyNames {
 public:
  /// `names` and `places` outlive this object. `provider`: the provider to ask.
  PolicyNames(TargetNames& names, const access::Places& places, std::string provider)
      : names_(names), places_(places), provider_(std::move(provider)) {}

  /// The import has a policy of the kind with the name.
  void Note(const std::string& kind, const std::string& name);
  /// Learns the numbers in noted names that may have a second name among the noted names. Once,
  /// after all of Note(). Blocks.
  void Learn();
  /// The one name of a policy: of a noted policy with id and address as far as these are known.
  [[nodiscard]] std::string GetOne(const std::string& kind, const std::string& name) const;
  /// Another noted name that may be of the same policy, which nobody tells; empty: none. Of two
  /// such names one has the other, so that one remains.
  [[nodiscard]] std::string FindRival(const std::string& kind, const std::string& name) const;

 private:
  /// The names of one form, as FormAnyName(), with the ids of known projects.
  using Names = std::set<std::string>;

  [[nodiscard]] const Names* FindTwins(const std::string& kind, const std::string& by_id) const;
  [[nodiscard]] bool MayBeSame(const std::string& numbered, const std::string& other) const;

  TargetNames& names_;
  const access::Places& places_;
  const std::string provider_;
  std::map<std::pair<std::string, std::string>, Names> forms_;  ///< By kind and form.
  /// The numbers of projects by noted names, as far as a later load of the manifests knows the
  /// numbers: without the answers to Learn().
  std::map<std::string, std::string> numbers_;
};

/// Of a name from PolicyNames::FindRival(): a sentence that says why the policy is left out.
[[nodiscard]] std::string ExplainRival(const std::string& rival);

}  // namespace bindery::app
