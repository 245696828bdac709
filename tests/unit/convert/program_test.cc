// What is no program is refused, whatever it is, and nothing grows without limit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"
#include "unit/convert/convert.h"

namespace bindery::convert {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::SizeIs;

TEST(Programs, WhatIsNoneIsRefusedWithTheReason) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  const std::pair<std::string, const char*> cases[] = {
      {"", "a program is one document, there are 0"},
      {"a: 1\n---\nb: 2\n", "there are 2"},
      {"[1]", "expected a map, found a list"},
      {"text", "expected a map, found a string"},
      {"apiVersion: monitoring\nkind: x\n", "is a manifest already"},
      {"a: 1\n", "neither a Pulumi YAML program or export"},
      {"resource: {}\nresources: {}\n", "say which with --from"},
      {"resources: {a: 1, a: 2}\n", "p.yaml:1:19: duplicate key"},
      {"resources: " + deep, "p.yaml:1:"},
      {"resources: &x [*x]\n", "p.yaml:1:"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_THAT(ConvertProgram(text, "p.yaml", {}, EveryKind()),
                FailsWith(Code::kInvalidArgument, HasSubstr(reason)))
        << text;
  }
  EXPECT_THAT(ConvertProgram("resource \"a\" \"b\" {}\n", "main.tf", {}, EveryKind()),
              FailsWith(Code::kInvalidArgument, HasSubstr("only its JSON form")));
}

TEST(Programs, WrongTypesAnywhereAreRemarks) {
  for (const char* text :
       {"resources: 1\n", "resources: [1]\n", "resources: {a: 1}\n", "resources: {a: {type: 1}}\n",
        "resources: {a: {type: \"monitoring:RestrictionPolicy\", properties: 1}}\n",
        "resources: {a: {type: \"monitoring:RestrictionPolicy\", options: 1}}\n",
        "variables: {a: {fn::invoke: 1}}\n", "variables: {a: {fn::invoke: {function: [1]}}}\n",
        "variables: {a: {\"fn::invoke\": {function: \"monitoring:getCurrentUser\", return: 1}}}\n",
        "resource: 1\n", "resource: {a: 1}\n", "resource: {a: {b: 1}}\n",
        "import: [1]\nresource: {}\n", "moved: {from: 1}\nresource: {}\n", "locals: 1\n",
        "resource: {datadog_restriction_policy: {b: {lifecycle: 1, timeouts: [1], depends_on: "
        "1}}}\n"}) {
    const auto made = ConvertProgram(text, "p.yaml", {}, EveryKind());
    ASSERT_THAT(made, IsOk()) << text;
  }
}

TEST(Programs, ValuesInThePlaceOfNamesAreLimited) {
  std::string text = "variables: {large: \"" + std::string(100'000, 'x') + "\"}\nresources:\n";
  for (int i = 0; i < 100; ++i) {
    text += "  r" + std::to_string(i) +
            ": {type: \"monitoring:RestrictionPolicy\", properties: {resourceId: "
            "\"dashboard:${large}\", bindings: []}}\n";
  }
  const Conversion made = Converted(text);
  EXPECT_LT(made.drafts.size(), 11U);
  EXPECT_THAT(MakeRemarks(made), ::testing::Contains(HasSubstr("more than 1 MiB together")));
}

TEST(Programs, TheFormCanBeSaid) {
  const auto made = ConvertProgram("{}", "p.json", {.form = ProgramForm::kTerraform}, EveryKind());
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(made->form, ProgramForm::kTerraform);
  EXPECT_THAT(made->drafts, SizeIs(0));
}

}  // namespace
}  // namespace bindery::convert
