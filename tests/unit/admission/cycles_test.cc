#include "admission/cycles.h"

#include <gtest/gtest.h>

namespace bindery::admission {
namespace {

/// The cycle that begins with a node; empty when it stands on none.
std::vector<std::size_t> From(const Cycles& found, std::size_t node) {
  if (!found.of_node[node]) return {};
  const CyclePlace& at = *found.of_node[node];
  const std::vector<std::size_t>& cycle = found.cycles[at.cycle];
  std::vector<std::size_t> rotated;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    rotated.push_back(cycle[(at.place + i) % cycle.size()]);
  }
  return rotated;
}

using Nodes = std::vector<std::size_t>;

TEST(FindCycles, ThereAreNoneInATree) {
  const Cycles found = FindCycles({{1, 2}, {3}, {3}, {}});
  EXPECT_TRUE(found.cycles.empty());
  for (const auto& place : found.of_node) EXPECT_FALSE(place);
  EXPECT_TRUE(FindCycles({}).cycles.empty());
}

TEST(FindCycles, OfOneTwoAndThree) {
  const Cycles found = FindCycles({{0}, {2}, {1}, {4}, {5}, {3}, {0, 1, 3}});
  EXPECT_EQ(From(found, 0), (Nodes{0}));
  EXPECT_EQ(From(found, 1), (Nodes{1, 2}));
  EXPECT_EQ(From(found, 2), (Nodes{2, 1}));
  EXPECT_EQ(From(found, 4), (Nodes{4, 5, 3}));
  EXPECT_EQ(From(found, 6), Nodes{}) << "it leads to cycles and stands on none";
}

TEST(FindCycles, TellsAShortOneOfATangle) {
  // 0 -> 1 -> 2 -> 3 -> 0 with a short cut from 1 to 0, and 2 on none but the long one.
  const Cycles found = FindCycles({{1}, {2, 0}, {3}, {0}});
  EXPECT_EQ(From(found, 0), (Nodes{0, 1}));
  EXPECT_EQ(From(found, 1), (Nodes{1, 0}));
  EXPECT_EQ(From(found, 2), (Nodes{2, 3, 0, 1}));
}

TEST(FindCycles, TakesNoStackForALongChainOrRing) {
  constexpr std::size_t kSize = 200'000;
  Graph graph(kSize);
  for (std::size_t i = 0; i + 1 < kSize; ++i) graph[i] = {i + 1};
  EXPECT_TRUE(FindCycles(graph).cycles.empty());
  graph.back() = {0};
  const Cycles ring = FindCycles(graph);
  ASSERT_EQ(ring.cycles.size(), 1U);
  EXPECT_EQ(ring.cycles[0].size(), kSize);
  EXPECT_EQ(ring.of_node[7]->place, 7U);
}

TEST(FindCycles, CopesWithAVeryLargeTangle) {
  // Everything leads to the hub and back: each search passes all edges of the hub.
  constexpr std::size_t kSize = 50'000;
  Graph graph(kSize);
  for (std::size_t i = 1; i < kSize; ++i) {
    graph[0].push_back(i);
    graph[i] = {0};
  }
  const Cycles found = FindCycles(graph);
  for (const auto& place : found.of_node) ASSERT_TRUE(place);
}

}  // namespace
}  // namespace bindery::admission
