#include "web/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/access/drift.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PageContext AskedContext(Query query) {
  PageContext context;
  context.path = "/drift";
  context.query = std::move(query);
  return context;
}

TEST(FilterForm, HoldsWhatWasAskedFor) {
  const PageContext context = AskedContext({{"q", "a\"b"},
                                            {"cause", "foreign"},
                                            {"flag", "true"},
                                            {"sort", "-role"},
                                            {"offset", "100"}});
  const std::string form = FilterForm(context)
                               .Search("principal")
                               .Select("cause", "Cause", MakeChoices(kAllDriftCauses))
                               .Flag("flag", "with differences")
                               .Finished()
                               .markup();
  EXPECT_THAT(form, HasSubstr("value=\"a&quot;b\""));
  EXPECT_THAT(form, HasSubstr("<option value=\"foreign\" selected=\"\">"));
  EXPECT_THAT(form, HasSubstr("checked=\"\""));
  EXPECT_THAT(form, HasSubstr("name=\"sort\" value=\"-role\""));
  EXPECT_THAT(form, Not(HasSubstr("offset"))) << "another question begins at its first page";
  EXPECT_THAT(form, HasSubstr("href=\"/drift\""));
}

TEST(Sorted, LeadsToTheColumnAndThenToTheReverse) {
  const ListOrder role = {"role", "severity"};
  const ListOrder severity = {"severity", "severity"};
  const PageContext plain = AskedContext({{"q", "x"}, {"offset", "100"}});
  EXPECT_THAT(Sorted(plain, "Role", role).head.markup(), HasSubstr("/drift?q=x&amp;sort=role\""));
  EXPECT_THAT(Sorted(plain, "Severity", severity).head.markup(), HasSubstr("sort=-severity\""));
  EXPECT_EQ(Sorted(plain, "Severity", severity).sort, "ascending");
  const PageContext reverse = AskedContext({{"sort", "-role"}});
  EXPECT_EQ(Sorted(reverse, "Role", role).sort, "descending");
  EXPECT_THAT(Sorted(reverse, "Role", role).head.markup(), HasSubstr("sort=role\""));
  EXPECT_EQ(Sorted(reverse, "Severity", severity).sort, "");
}

TEST(ShortNames, AreTheMembersOfCollections) {
  EXPECT_EQ(ShortName("projects/acme/topics/orders"), "acme/orders");
  EXPECT_EQ(ShortName("projects/acme/locations/global/policies/p"), "acme/global/p");
  for (const std::string whole : {"projects/acme", "dashboard:abc-def-ghi", "a/b/c",
                                  "//host/projects/p", "", "a//b/c", "projects/acme/topics/"}) {
    EXPECT_EQ(ShortName(whole), whole);
  }
}

}  // namespace
}  // namespace bindery::web
