#include "controller/gates/grants_digest.h"

#include <set>
#include <utility>
#include <vector>

#include "core/access/canonical_json.h"
#include "core/text/digest.h"
#include "reconcilers/principals.h"

namespace bindery::controller {
namespace {

std::string GrantText(Grant grant) {
  // Folding the case of every kind of principal is coarser than the kinds compare, but this is only
  // to recognise our own write again.
  grant.principal = reconcilers::NormalPrincipal(grant.principal);
  return CanonicalGrant(grant);
}

std::string MakeDigest(const std::set<std::string>& grants) {
  std::string text;
  for (const std::string& grant : grants) text += grant + "\n";
  return Sha256Hex(text);
}

std::set<std::string> GrantTexts(const std::vector<Grant>& grants) {
  std::set<std::string> texts;
  for (const Grant& grant : grants) texts.insert(GrantText(grant));
  return texts;
}

}  // namespace

std::string GrantsDigest(const reconcilers::Observation& seen) {
  return MakeDigest(GrantTexts(seen.grants));
}

std::string DesiredDigest(const reconcilers::Observation& before,
                          const reconcilers::TargetPlan& plan) {
  std::set<std::string> grants = GrantTexts(before.grants);
  for (const Grant& grant : plan.removes()) grants.erase(GrantText(grant));
  for (const Grant& grant : plan.adds()) grants.insert(GrantText(grant));
  return MakeDigest(grants);
}

}  // namespace bindery::controller
