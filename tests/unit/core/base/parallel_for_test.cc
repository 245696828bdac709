#include "core/base/parallel_for.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace bindery {
namespace {

TEST(ParallelFor, EverythingIsDoneOnceHoweverMuchItIs) {
  for (const std::size_t count : {0UL, 1UL, 4'095UL, 8'192UL, 100'003UL}) {
    std::vector<int> done(count);
    ParallelFor(count, [&done](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) ++done[i];
    });
    EXPECT_EQ(done, std::vector<int>(count, 1)) << count;
  }
}

TEST(ParallelFor, WhatOneShareThrowsComesOut) {
  EXPECT_THROW(ParallelFor(100'000,
                           [](std::size_t /*from*/, std::size_t to) {
                             if (to == 100'000) throw std::runtime_error("no memory");
                           }),
               std::runtime_error);
}

TEST(AppendInShares, WhatIsMadeComesInOrderBehindWhatIsThere) {
  std::vector<std::size_t> list = {7, 8};
  AppendInShares(
      100'000, [](std::size_t i) { return i; }, list);
  ASSERT_EQ(list.size(), 100'002U);
  EXPECT_EQ(list[0], 7U);
  EXPECT_EQ(list[1], 8U);
  for (std::size_t i = 0; i < 100'000; ++i) ASSERT_EQ(list[i + 2], i);
}

}  // namespace
}  // namespace bindery
