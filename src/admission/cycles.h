#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace bindery::admission {

/// For each node of a directed graph, its successors.
using Graph = std::vector<std::vector<std::size_t>>;

/// The position of a node on a cycle.
struct CyclePlace {
  std::size_t cycle = 0;  ///< Of Cycles::cycles.
  std::size_t place = 0;  ///< Within it.
};

struct Cycles {
  /// Each node leads to the next, the last to the first.
  std::vector<std::vector<std::size_t>> cycles;
  /// For each node that leads back to itself: its cycle, or, in a very large tangle, a cycle that
  /// the node leads to.
  std::vector<std::optional<CyclePlace>> of_node;
};

/// Finds a short cycle for every node that is on one. Takes time in proportion to the graph,
/// and no stack.
[[nodiscard]] Cycles FindCycles(const Graph& graph);

}  // namespace bindery::admission
