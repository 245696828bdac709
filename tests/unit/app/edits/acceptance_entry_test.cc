#include "app/edits/acceptance_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "config/config.h"

namespace bindery::app {
namespace {

using ::testing::SizeIs;

AcceptedDriftRule Rule() {
  DriftItem item;
  item.drift_class = DriftClass::kUndeclared;
  item.grant = {"roles/viewer", "user:eve${x}@example.com", std::nullopt};
  return RuleFor("projects/acme", item, {"incident: 42 # \"late\"", "ana", WallTime()});
}

struct EntryCase {
  const char* name;
  const char* before;
  std::size_t rules;  ///< Afterwards.
};

class Entry : public ::testing::TestWithParam<EntryCase> {};

TEST_P(Entry, IsAddedAndAllElseStays) {
  const auto text = WithEntry(GetParam().before, MakeEntry(Rule()));
  ASSERT_TRUE(text.has_value()) << ToString(text.error());
  const auto config = config::ParseConfig(*text, "bindery.yaml", "/etc", {});
  ASSERT_TRUE(config.has_value()) << *text;
  EXPECT_THAT(config->drift.accept, SizeIs(GetParam().rules)) << *text;
  EXPECT_THAT(config->drift.accept, ::testing::Contains(Rule())) << *text;
  // What was there is there still, but for the brackets of an empty list.
  std::istringstream lines(GetParam().before);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find("[]");
    if (line.find("accept") != std::string::npos && at != std::string::npos) line.erase(at, 2);
    EXPECT_NE(text->find(line + "\n"), std::string::npos) << line << "\nin\n" << *text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Acceptance, Entry,
    ::testing::Values(
        EntryCase{"EmptyFile", "", 1}, EntryCase{"NoDrift", "logging: {level: debug}   # all\n", 1},
        EntryCase{"NoLastLineBreak", "logging: {level: debug}", 1},
        EntryCase{"EmptyDrift", "drift:\n", 1},
        EntryCase{"NoAccept", "drift:\n    severity: []\nlogging:\n  level: debug\n", 1},
        EntryCase{"EmptyList", "drift:\n  severity: []\n  accept: []   # none yet\nlogging:\n", 1},
        EntryCase{"EmptyValue", "drift:\n  accept:\n  severity: []\n", 1},
        EntryCase{"List",
                  "drift:\n  accept:\n  - match: {role: a}\n    reason: r\n    owner: o\n"
                  "  - {match: {role: b}, reason: r, owner: o}\nlogging:\n",
                  3}),
    [](const auto& test) { return test.param.name; });

TEST(AcceptanceEntry, NamesTheConditionOfTheGrant) {
  DriftItem item;
  item.drift_class = DriftClass::kUndeclared;
  item.grant = {"roles/viewer", "user:a@example.com",
                Condition{R"(request.time < timestamp("2026-11-29T12:00:00Z"))", "temp", "why"}};
  const AcceptedDriftRule rule = RuleFor("projects/acme", item, {"r", "o"});
  const auto text = WithEntry("", MakeEntry(rule));
  ASSERT_TRUE(text.has_value());
  const auto config = config::ParseConfig(*text, "bindery.yaml", "/etc", {});
  ASSERT_TRUE(config.has_value()) << *text;
  EXPECT_THAT(config->drift.accept, ::testing::ElementsAre(rule)) << *text;
  EXPECT_EQ(rule.condition.title, "temp");
  EXPECT_EQ(rule.condition.expression, item.grant.condition->expression);
}

TEST(AcceptanceEntry, FitsTheTextsOfTheDifferenceAlone) {
  DriftItem item;
  item.drift_class = DriftClass::kUndeclared;
  item.grant = {"roles/viewer", "principalSet://iam.googleapis.com/pools/gh/*",
                Condition{"2 * 3 == 6 ? true : false", "any*", ""}};
  const auto text = WithEntry("", MakeEntry(RuleFor("projects/acme", item, {"r", "o"})));
  ASSERT_TRUE(text.has_value());
  const auto config = config::ParseConfig(*text, "bindery.yaml", "/etc", {});
  ASSERT_TRUE(config.has_value()) << *text;
  const auto state = [&config](const DriftItem& found) {
    return FindAcceptance(config->drift.accept, "projects/acme", found, {}).state;
  };
  EXPECT_EQ(state(item), AcceptanceState::kHolds) << *text;
  DriftItem member = item;
  member.grant.principal = "principalSet://iam.googleapis.com/pools/gh/attribute.repository/evil";
  EXPECT_EQ(state(member), AcceptanceState::kNone);
  DriftItem title = item;
  title.grant.condition->title = "anything";
  EXPECT_EQ(state(title), AcceptanceState::kNone);
  DriftItem expression = item;
  expression.grant.condition->expression = "2 * 1 * 3 == 6 ? true : false";
  EXPECT_EQ(state(expression), AcceptanceState::kNone);
}

TEST(AcceptanceEntry, EndsItsLinesAsTheFileDoes) {
  for (const char* before : {"logging:\r\n  level: debug\r\n", "drift:\r\n  severity: []\r\n",
                             "drift:\r\n  accept:   # none\r\n"}) {
    const auto text = WithEntry(before, MakeEntry(Rule()));
    ASSERT_TRUE(text.has_value()) << ToString(text.error());
    for (std::size_t at = text->find('\n'); at != text->npos; at = text->find('\n', at + 1)) {
      EXPECT_EQ(text->at(at - 1), '\r') << at << " in " << *text;
    }
  }
}

TEST(AcceptanceEntry, IsNotPutWhereItIsNotClearHow) {
  for (const char* text :
       {"drift: {accept: []}\n", "drift:\n  accept: [{match: {role: a}, reason: r, owner: o}]\n",
        "drift:\n  accept: &a\n    - {match: {role: b}, reason: r, owner: o}\n", "drift: [\n"}) {
    const auto changed = WithEntry(text, MakeEntry(Rule()));
    ASSERT_FALSE(changed.has_value()) << *changed;
    EXPECT_EQ(changed.error().code, Code::kFailedPrecondition);
  }
}

}  // namespace
}  // namespace bindery::app
