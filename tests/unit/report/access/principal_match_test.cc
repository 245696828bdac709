// Principals that name one project by id and by number.

#include "report/access/principal_match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "access/places.h"
#include "providers/registry/kinds.h"

namespace bindery::report {
namespace {

const std::string kOlderForm = "serviceAccount:acme.svc.id.goog[shop/web]";

/// The newer form, in the pool of acme, with the number of a project.
std::string MakeNewerForm(const std::string& number, const std::string& who) {
  return "//iam.googleapis.com/projects/" + number +
         "/locations/global/workloadIdentityPools/acme.svc.id.goog/" + who;
}

Match MatchKnowing(const std::vector<InventoryContainer>& containers, const std::string& granted,
                   const std::string& asked) {
  const access::Places places(containers);
  const reconcilers::PrincipalRules* rules =
      providers::KnownKinds().FindByTargets("cloudresourcemanager:Project")->traits().principals;
  return AskedPrincipal(rules, asked, places).FindMatch(granted);
}

TEST(PrincipalMatch, AnIdentityOfThePoolOfAProjectHasTheNumberOfTheProject) {
  const std::string subject = "principal:" + MakeNewerForm("1", "subject/ns/shop/sa/web");
  const std::string all = "principalSet:" + MakeNewerForm("1", "*");
  struct Case {
    std::vector<InventoryContainer> known;
    Match one;
    Match set;
    const char* why;
  };
  const Case cases[] = {
      {{}, Match::kSame, Match::kContains, "no other project has a pool of the name"},
      {{{"projects/acme", "projects/1", "", "", ""}},
       Match::kSame,
       Match::kContains,
       "the number is right"},
      {{{"projects/acme", "projects/2", "", "", ""}}, Match::kNone, Match::kNone, "another number"},
      {{{"projects/other", "projects/1", "", "", ""}},
       Match::kNone,
       Match::kNone,
       "another project's number"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(MatchKnowing(one.known, subject, kOlderForm), one.one) << one.why;
    EXPECT_EQ(MatchKnowing(one.known, kOlderForm, subject), one.one) << one.why;
    EXPECT_EQ(MatchKnowing(one.known, all, kOlderForm), one.set) << one.why;
    EXPECT_EQ(MatchKnowing(one.known, subject, subject), Match::kSame) << one.why;
  }
}

}  // namespace
}  // namespace bindery::report
