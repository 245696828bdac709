#include "app/edits/manifest_edit.h"

#include <string>

#include "support/matchers.h"

namespace bindery::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;

const ManifestPlace kMembers{"b", {"spec", "members"}};

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
  const ManifestPlace inner{"b", {"spec", "bindings", std::size_t{1}, "members"}};
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

/// An audit configuration in two forms.
constexpr const char* kBlockLogs =
    "metadata: {name: b}\nspec:\n  logs:\n    # reads\n    - logType: R\n      exempted:\n"
    "      - user:a@x.org\n    # writes\n    - logType: W   # all\n  name: n\n";
constexpr const char* kFlowLogs =
    "metadata: {name: b}\nspec: {logs: [{logType: R, exempted: [user:a@x.org]}, {logType: W}]}\n";
const ManifestPlace kLogsPlace{"b", {"spec", "logs"}};

ManifestPlace LogPlace(std::size_t index) { return {"b", {"spec", "logs", index}}; }

TEST(Edit, AnEntryLeavesAListOfEntries) {
  EXPECT_EQ(*WithoutListEntry(kBlockLogs, kLogsPlace, 0),
            "metadata: {name: b}\nspec:\n  logs:\n    # reads\n    # writes\n    - logType: W   # "
            "all\n  name: n\n");
  EXPECT_EQ(*WithoutListEntry(kBlockLogs, kLogsPlace, 1),
            "metadata: {name: b}\nspec:\n  logs:\n    # reads\n    - logType: R\n      exempted:\n"
            "      - user:a@x.org\n    # writes\n  name: n\n");
  EXPECT_EQ(*WithoutListEntry(kFlowLogs, kLogsPlace, 0),
            "metadata: {name: b}\nspec: {logs: [{logType: W}]}\n");
  EXPECT_EQ(*WithoutListEntry(kFlowLogs, kLogsPlace, 1),
            "metadata: {name: b}\nspec: {logs: [{logType: R, exempted: [user:a@x.org]}]}\n");
  EXPECT_EQ(*WithoutListEntry("metadata: {name: b}\nspec:\n  logs:\n    # c\n    - logType: R\n"
                              "      text: |\n        two\n\n        lines\n  name: n\n",
                              kLogsPlace, 0),
            "metadata: {name: b}\nspec:\n  logs: []\n  name: n\n");
  EXPECT_FALSE(WithoutListEntry(kBlockLogs, kLogsPlace, 2).has_value());
}

TEST(Edit, AnEntryJoinsAListInBrackets) {
  EXPECT_EQ(*WithListEntry(kFlowLogs, kLogsPlace, {{"logType", "A"}}),
            "metadata: {name: b}\nspec: {logs: [{logType: R, exempted: [user:a@x.org]}, {logType: "
            "W}, {logType: \"A\"}]}\n");
  EXPECT_EQ(
      *WithListEntry("metadata: {name: b}\nspec: {logs: []}\n", kLogsPlace, {{"logType", "A"}}),
      "metadata: {name: b}\nspec: {logs: [{logType: \"A\"}]}\n");
}

TEST(Edit, AFieldJoinsAndLeavesAMap) {
  const Json value = Json::array({"user:b@x.org"});
  EXPECT_EQ(*WithField(kBlockLogs, LogPlace(1), "exempted", value),
            "metadata: {name: b}\nspec:\n  logs:\n    # reads\n    - logType: R\n      exempted:\n"
            "      - user:a@x.org\n    # writes\n    - logType: W   # all\n      exempted: "
            "[user:b@x.org]\n  name: n\n");
  EXPECT_EQ(*WithField(kFlowLogs, LogPlace(1), "exempted", value),
            "metadata: {name: b}\nspec: {logs: [{logType: R, exempted: [user:a@x.org]}, {logType: "
            "W, exempted: [user:b@x.org]}]}\n");
  EXPECT_EQ(*WithoutField(kBlockLogs, LogPlace(0), "exempted"),
            "metadata: {name: b}\nspec:\n  logs:\n    # reads\n    - logType: R\n    # writes\n"
            "    - logType: W   # all\n  name: n\n");
  EXPECT_EQ(*WithoutField(kFlowLogs, LogPlace(0), "exempted"),
            "metadata: {name: b}\nspec: {logs: [{logType: R}, {logType: W}]}\n");
  EXPECT_EQ(*WithoutField(kFlowLogs, LogPlace(0), "logType"),
            "metadata: {name: b}\nspec: {logs: [{exempted: [user:a@x.org]}, {logType: W}]}\n");
  EXPECT_FALSE(WithoutField(kBlockLogs, LogPlace(0), "logType").has_value())
      << "the hyphen stands in its line";
}

TEST(Edit, AManifestLeavesAFileOfSeveral) {
  const std::string head = "# All of the shop.\n\n";
  const std::string a = "# Of a.\nmetadata: {name: a}\nspec:\n  text: |\n    # no comment\n";
  const std::string b = "---   # b\nmetadata: {name: b}\nspec: {}\n\n";
  const std::string c = "---\n# Of c.\nmetadata: {name: c}\n\n";
  EXPECT_EQ(*WithoutManifest(head + a + b + c, "a"), head + b + c);
  EXPECT_EQ(*WithoutManifest(a + b + c, "a"), b + c);
  EXPECT_EQ(*WithoutManifest(head + a + b + c, "b"), head + a + c);
  EXPECT_EQ(*WithoutManifest(head + a + b + c, "c"), head + a + b);
  EXPECT_EQ(*WithoutManifest(head + a, "a"), "") << "nothing else is in the file";
  EXPECT_FALSE(WithoutManifest(a + "...\n" + b, "a").has_value()) << "a rare mark";
  EXPECT_THAT(WithoutManifest(a, "z"), FailsWith(Code::kNotFound, HasSubstr("\"z\"")));
}

TEST(Edit, NoCommentBetweenBracketsChangesItsItem) {
  const std::string text =
      "metadata: {name: a}\nspec:\n  members: [\n    user:a@x.org,  # approved\n    user:b@x.org,  "
      "# until Friday\n  ]\n";
  const ManifestPlace members{"a", {{"spec"}, {"members"}}};
  EXPECT_THAT(WithoutListItem(text, members, 1),
              FailsWith(Code::kFailedPrecondition, HasSubstr("beside the last item")));
  EXPECT_EQ(*WithoutListItem(text, members, 0),
            "metadata: {name: a}\nspec:\n  members: [\n    user:b@x.org,  # until Friday\n  ]\n");
}

TEST(Edit, NoManifestIsRemovedWithTextOfOthers) {
  const std::string a = "metadata: {name: a}\n";
  const std::string disabled = "# metadata: {name: disabled}\n";
  const struct {
    std::string file;
    const char* why;
  } cases[] = {
      {a + "---\n" + disabled, "comments beside the manifest"},
      {disabled + "---\n" + a, "comments beside the manifest"},
      {a + "\n" + disabled, "comments follow the manifest"},
      {a + "\n" + disabled + "---\nmetadata: {name: b}\n", "comments follow the manifest"},
      {a + "---\nkind: ConfigMap\nmetadata: {name: a}\n", "two documents"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(WithoutManifest(test.file, "a"),
                FailsWith(Code::kFailedPrecondition, HasSubstr(test.why)))
        << test.file;
  }
}

TEST(Edit, AJsonListKeepsItsLines) {
  const auto file = [](const std::string& members) {
    return "{\r\n\t\"metadata\": {\"name\": \"b\"},\r\n\t\"spec\": {\"members\": [" + members +
           "]}\r\n}\r\n";
  };
  const std::string lines = "\r\n\t\t\"user:a@x.org\",\r\n\t\t\"user:b@x.org\"\r\n\t";
  EXPECT_EQ(
      *WithListItem(file(lines), kMembers, "user:c@x.org"),
      file("\r\n\t\t\"user:a@x.org\",\r\n\t\t\"user:b@x.org\",\r\n\t\t\"user:c@x.org\"\r\n\t"));
  EXPECT_EQ(*WithoutListItem(file(lines), kMembers, 1), file("\r\n\t\t\"user:a@x.org\"\r\n\t"));
  EXPECT_EQ(*WithListItem(file(""), kMembers, "user:c@x.org"), file("\"user:c@x.org\""));
  EXPECT_EQ(*WithListItem(file("\"user:a@x.org\""), kMembers, "user:c@x.org"),
            file("\"user:a@x.org\", \"user:c@x.org\""));
}

}  // namespace
}  // namespace bindery::app
