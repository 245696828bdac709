// Parts of a policy that manifests claim: which are in each other's way, and what belongs to them.

#include "core/access/claim_part.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

constexpr const char* kSoon =
    R"j({"expression":"request.time < timestamp(\"2027-01-01T00:00:00Z\")","title":"soon"})j";

std::string Same(const std::string& principal) { return principal; }

std::string If(const std::string& part, const std::string& condition) {
  return part + " if " + condition;
}

TEST(ClaimPart, IsOneTextAndItsParts) {
  const std::string member = If("roles/viewer user:a@x", kSoon);
  const ClaimPart part = ClaimPart::Of(member);
  EXPECT_EQ(part.role, "roles/viewer");
  EXPECT_EQ(part.member, "user:a@x");
  EXPECT_EQ(part.condition, kSoon);
  for (const std::string& text :
       {std::string("*"), std::string("*+"), std::string("roles/viewer"), If("roles/viewer", "-"),
        If("roles/viewer", kSoon), member, If("roles/viewer user:a@x", "*")}) {
    EXPECT_EQ(ClaimPart::Of(text).Text(), text);
  }
}

TEST(ClaimPart, OverlapsWhereOneGrantWouldBelongToBoth) {
  struct Case {
    std::string a;
    std::string b;
    bool overlap;
    bool a_contains_b;
  };
  const std::string role = "roles/viewer";
  const std::string ana = If("roles/viewer user:ana@x", "-");
  const Case cases[] = {
      {role, role, true, true},
      {role, "roles/editor", false, false},
      {role, ana, true, true},
      {ana, role, true, false},
      {ana, ana, true, true},
      {ana, If("roles/viewer user:bob@x", "-"), false, false},
      {ana, If("roles/editor user:ana@x", "-"), false, false},
      {ana, If("roles/viewer user:ana@x", kSoon), false, false},
      {If("roles/viewer user:ana@x", "*"), ana, true, true},
      {If("roles/viewer user:ana@x", "*"), If("roles/viewer user:ana@x", kSoon), true, true},
      {If(role, "-"), If(role, kSoon), false, false},
      {If(role, "-"), role, true, false},
      {If(role, "-"), ana, true, true},
      {If(role, kSoon), ana, false, false},
      {"*", role, true, true},
      {"*", ana, true, true},
      {"*", "*+", true, false},
      {"*+", "*", true, true},
      {"*", "auditConfigs/allServices", false, false},
      {"*+", "auditConfigs/allServices", true, true},
      {"auditConfigs/allServices", "auditConfigs/storage.googleapis.com", false, false},
      {role, "*", true, false},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(Overlap(test.a, test.b), test.overlap) << test.a << " and " << test.b;
    EXPECT_EQ(Overlap(test.b, test.a), test.overlap) << test.b << " and " << test.a;
    EXPECT_EQ(Contains(test.a, test.b), test.a_contains_b) << test.a << " has " << test.b;
  }
}

TEST(ClaimPart, CoversTheGrantsThatBelongToIt) {
  const Condition soon{"request.time < timestamp(\"2027-01-01T00:00:00Z\")", "soon", ""};
  const Grant plain{"roles/viewer", "user:ana@x"};
  const Grant under{"roles/viewer", "user:ana@x", soon};
  const Grant audit{"auditConfigs/allServices", "DATA_READ"};
  struct Case {
    std::string part;
    bool plain;
    bool under;
    bool audit;
  };
  const Case cases[] = {
      {"roles/viewer", true, true, false},
      {If("roles/viewer", "-"), true, false, false},
      {If("roles/viewer", kSoon), false, true, false},
      {If("roles/viewer user:ana@x", "-"), true, false, false},
      {If("roles/viewer user:ana@x", "*"), true, true, false},
      {If("roles/viewer user:bob@x", "*"), false, false, false},
      {"*", true, true, false},
      {"*+", true, true, true},
      {"auditConfigs/allServices", false, false, true},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(Covers(test.part, plain, Same), test.plain) << test.part;
    EXPECT_EQ(Covers(test.part, under, Same), test.under) << test.part;
    EXPECT_EQ(Covers(test.part, audit, Same), test.audit) << test.part;
  }
}

TEST(ClaimPart, ReadsAsASentence) {
  const std::pair<std::string, std::string> cases[] = {
      {"*", "the policy"},
      {"*+", "the policy and its audit configuration"},
      {"roles/viewer", "role \"roles/viewer\""},
      {If("roles/viewer", kSoon), "role \"roles/viewer\" under the condition \"soon\""},
      {If("roles/viewer user:ana@x", "-"), "member \"user:ana@x\" of role \"roles/viewer\""},
      {"auditConfigs/allServices", "the audit configuration of \"allServices\""},
  };
  for (const auto& [part, words] : cases) EXPECT_EQ(PartInWords(part), words);
}

}  // namespace
}  // namespace bindery
