#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace bindery {

/// Calls `work(from, to)` for consecutive shares of 0 … count, on all cores for large counts (some
/// thousands), else in one call on the calling thread; returns when all is done. The shares run at
/// the same time and must not write shared data.
void ParallelFor(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work);

/// Appends what `make(i)` gives for each i of 0 … count, made in shares.
template <typename T, typename Make>
void AppendInShares(std::size_t count, const Make& make, std::vector<T>& list) {
  const std::size_t before = list.size();
  list.resize(before + count);
  ParallelFor(count, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) list[before + i] = make(i);
  });
}

}  // namespace bindery
