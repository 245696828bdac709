#include "app/plan/manifest_edit.h"

#include <string>

#include "support/matchers.h"

namespace bindery::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;

const ManifestList kMembers{"b", {"spec", "members"}};

/// A file with a manifest before and after the one of the test.
std::string FileWith(const std::string& members) {
  return "metadata: {name: a}\nspec: {members: [user:a@x.org]}\n---\n# Kept.\nmetadata:\n  name: "
         "b\n"
         "spec:\n" +
         members +
         "  role: r   # a role\n---\nmetadata: {name: c}\nspec: {members: [user:a@x.org]}\n";
}

struct EditCase {
  const char* name;
  const char* before;
  const char* added;    ///< With "user:new@x.org" at the end; null: refused.
  const char* removed;  ///< Without the first item; null: refused.
};

class Edit : public ::testing::TestWithParam<EditCase> {};

TEST_P(Edit, ChangesOneItemAndNothingElse) {
  const EditCase& one = GetParam();
  const auto added = WithListItem(FileWith(one.before), kMembers, "user:new@x.org");
  if (one.added != nullptr) {
    ASSERT_TRUE(added.has_value()) << ToString(added.error());
    EXPECT_EQ(*added, FileWith(one.added));
  } else {
    EXPECT_THAT(added, FailsWith(Code::kFailedPrecondition, HasSubstr("by hand")));
  }
  const auto removed = WithoutListItem(FileWith(one.before), kMembers, 0);
  if (one.removed != nullptr) {
    ASSERT_TRUE(removed.has_value()) << ToString(removed.error());
    EXPECT_EQ(*removed, FileWith(one.removed));
  } else {
    EXPECT_FALSE(removed.has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Manifests, Edit,
    ::testing::Values(
        EditCase{"Block", "  members:\n    # first\n    - user:a@x.org   # A\n    - user:b@x.org\n",
                 "  members:\n    # first\n    - user:a@x.org   # A\n    - user:b@x.org\n"
                 "    - user:new@x.org\n",
                 "  members:\n    # first\n    - user:b@x.org\n"},
        EditCase{"BlockAtTheColumnOfItsKey", "  members:\n  - user:a@x.org\n  - \"user:b@x.org\"\n",
                 "  members:\n  - user:a@x.org\n  - \"user:b@x.org\"\n  - \"user:new@x.org\"\n",
                 "  members:\n  - \"user:b@x.org\"\n"},
        EditCase{"Flow", "  members: [user:a@x.org, 'user:b@x.org']   # two\n",
                 "  members: [user:a@x.org, 'user:b@x.org', \"user:new@x.org\"]   # two\n",
                 "  members: ['user:b@x.org']   # two\n"},
        EditCase{"FlowOnLines",
                 "  members: [\n    user:a@x.org,\n    user:\xC3\xA9@x.org   # E\n  ]\n",
                 "  members: [\n    user:a@x.org,\n    user:\xC3\xA9@x.org, user:new@x.org   # E\n"
                 "  ]\n",
                 "  members: [\n    user:\xC3\xA9@x.org   # E\n  ]\n"},
        EditCase{"FlowOfOne", "  members: [user:a@x.org]\n",
                 "  members: [user:a@x.org, user:new@x.org]\n", "  members: []\n"},
        EditCase{"Empty", "  members: []\n", "  members: [user:new@x.org]\n", nullptr},
        EditCase{"BlockOfOne", "  members:\n  - user:a@x.org\n",
                 "  members:\n  - user:a@x.org\n  - user:new@x.org\n", nullptr},
        EditCase{"Anchor", "  members: &m\n  - user:a@x.org\n  other: *m\n", nullptr, nullptr},
        EditCase{"BlockScalar", "  members:\n  - |-\n    user:a@x.org\n", nullptr, nullptr}),
    [](const auto& test) { return test.param.name; });

TEST(Edit, AnEntryJoinsAListOfEntries) {
  const std::string text =
      "metadata: {name: b}\nspec:\n  bindings:\n    - role: r\n      members:\n        - "
      "user:a@x.org\n"
      "    # last\n  name: n\n";
  const Json entry = {{"role", "s"}, {"members", {"user:b@x.org"}}};
  const auto added = WithListEntry(text, {"b", {"spec", "bindings"}}, entry);
  ASSERT_TRUE(added.has_value()) << ToString(added.error());
  EXPECT_EQ(*added,
            "metadata: {name: b}\nspec:\n  bindings:\n    - role: r\n      members:\n"
            "        - user:a@x.org\n    - role: s\n      members:\n        - user:b@x.org\n"
            "    # last\n  name: n\n");
  const ManifestList inner{"b", {"spec", "bindings", std::size_t{1}, "members"}};
  const auto twice = WithListItem(*added, inner, "user:c@x.org");
  ASSERT_TRUE(twice.has_value()) << ToString(twice.error());
  EXPECT_THAT(*twice, HasSubstr("        - user:b@x.org\n        - user:c@x.org\n    # last\n"));
}

TEST(Edit, LinesEndAsTheOthersOfTheFile) {
  const std::string file = "metadata: {name: b}\r\nspec:\r\n  members:\r\n  - user:a@x.org";
  EXPECT_EQ(*WithListItem(file, kMembers, "user:new@x.org"), file + "\r\n  - user:new@x.org\r\n");
}

TEST(Edit, AFileWithoutTheListIsRefused) {
  for (const std::string& text : {FileWith(""), std::string(": ["), std::string()}) {
    EXPECT_FALSE(WithListItem(text, kMembers, "user:new@x.org").has_value()) << text;
  }
}

/// A text that YAML would take for something else stands in quotes.
TEST(Edit, QuotesWhatNeedsQuotes) {
  for (const std::string item : {"user:a, b", "*", "yes", "principal://x#y", "a: b", "\"", "u:"}) {
    const auto added = WithListItem(FileWith("  members: [user:a@x.org]\n"), kMembers, item);
    EXPECT_TRUE(added.has_value()) << item;
  }
}

}  // namespace
}  // namespace bindery::app
