// A table of targets is a map by target, and its rows can be put in the order of a map.

#include "core/access/target_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bindery {
namespace {

/// Many, some of which differ in one part alone.
std::vector<Target> ManyTargets() {
  std::vector<Target> targets;
  for (const char* kind : {"Topic", "Bucket"}) {
    for (const char* scope : {"", "other"}) {
      for (int i = 0; i < 500; ++i) {
        targets.push_back({kind, scope,
                           "projects/p/things/" +
                               std::string(static_cast<std::size_t>(i % 90), 'x') +
                               std::to_string(i * 7919 % 500)});
      }
    }
  }
  return targets;
}

TEST(TargetTable, HoldsOneValueForEachTarget) {
  TargetTable<int> table;
  std::map<Target, int> map;
  int number = 0;
  for (int round = 0; round < 2; ++round) {
    for (const Target& target : ManyTargets()) {
      table.Obtain(target) += ++number;
      map[target] += number;
    }
  }
  ASSERT_EQ(table.size(), map.size());
  for (const auto& [target, value] : map) {
    ASSERT_NE(table.Find(target), nullptr) << target.Key();
    EXPECT_EQ(*table.Find(target), value) << target.Key();
  }
}

TEST(TargetTable, FindsNothingElse) {
  TargetTable<int> table;
  EXPECT_EQ(table.Find({"Topic", "", "t"}), nullptr);
  table.Obtain({"Topic", "", "t"});
  EXPECT_EQ(table.Find({"Topic", "other", "t"}), nullptr);
  EXPECT_EQ(table.Find({"Bucket", "", "t"}), nullptr);
  EXPECT_EQ(table.Find({"Topic", "", "u"}), nullptr);
}

TEST(TargetTable, HasRowsInTheOrderOfTheirTargets) {
  TargetTable<int> table;
  std::map<Target, int> map;
  for (const Target& target : ManyTargets()) {
    table.Obtain(target);
    map[target] = 0;
  }
  const TargetTable<int> moved = std::move(table);
  std::vector<const TargetTable<int>::Row*> rows;
  for (const auto& row : moved.rows()) rows.push_back(&row);
  std::ranges::sort(rows, [](const auto* a, const auto* b) { return IsTargetBefore(*a, *b); });
  std::vector<Target> sorted;
  for (const auto* row : rows) sorted.push_back(row->MakeTarget());
  std::vector<Target> expected;
  for (const auto& [target, value] : map) expected.push_back(target);
  EXPECT_EQ(sorted, expected);
}

}  // namespace
}  // namespace bindery
