#include "admission/cycles.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace bindery::admission {
namespace {

constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
/// How many edges are looked at for shortest cycles before one of the tangle has to do for the
/// rest.
constexpr std::size_t kMostSteps = 20'000'000;

/// Tarjan's strongly connected components, without recursion.
class Components {
 public:
  explicit Components(const Graph& graph)
      : graph_(graph),
        order_(graph.size(), kUnseen),
        low_(graph.size(), 0),
        component_(graph.size(), kUnseen) {}

  /// For each node the number of its component.
  std::vector<std::size_t> Find() {
    for (std::size_t node = 0; node < graph_.size(); ++node) {
      if (order_[node] == kUnseen) Visit(node);
    }
    return std::move(component_);
  }

 private:
  struct Frame {
    std::size_t node;
    std::size_t next_edge;
  };

  void Enter(std::size_t node) {
    order_[node] = low_[node] = visited_++;
    open_.push_back(node);
    frames_.push_back({node, 0});
  }

  void Visit(std::size_t root) {
    Enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next_edge < graph_[frame.node].size()) {
        Follow(frame.node, graph_[frame.node][frame.next_edge++]);
        continue;
      }
      const std::size_t node = frame.node;
      frames_.pop_back();
      if (!frames_.empty()) {
        std::size_t& above = low_[frames_.back().node];
        above = std::min(above, low_[node]);
      }
      if (low_[node] == order_[node]) Close(node);
    }
  }

  void Follow(std::size_t from, std::size_t to) {
    if (order_[to] == kUnseen) {
      Enter(to);
    } else if (component_[to] == kUnseen) {
      low_[from] = std::min(low_[from], order_[to]);
    }
  }

  void Close(std::size_t root) {
    for (std::size_t node = kUnseen; node != root;) {
      node = open_.back();
      open_.pop_back();
      component_[node] = count_;
    }
    ++count_;
  }

  const Graph& graph_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> low_;
  std::vector<std::size_t> component_;
  std::vector<std::size_t> open_;  ///< Visited, and of no component yet.
  std::vector<Frame> frames_;
  std::size_t visited_ = 0;
  std::size_t count_ = 0;
};

/// The shortest way from a node back to itself, within its component.
class ShortestCycle {
 public:
  ShortestCycle(const Graph& graph, const std::vector<std::size_t>& component)
      : graph_(graph),
        component_(component),
        from_(graph.size(), kUnseen),
        seen_by_(graph.size(), kUnseen) {}

  /// Empty if none exists.
  std::vector<std::size_t> Through(std::size_t start) {
    std::deque<std::size_t> waiting = {start};
    while (!waiting.empty()) {
      const std::size_t node = waiting.front();
      waiting.pop_front();
      for (const std::size_t next : graph_[node]) {
        ++steps_;
        if (next == start) return WayTo(node, start);
        if (component_[next] != component_[start] || seen_by_[next] == start) continue;
        seen_by_[next] = start;
        from_[next] = node;
        waiting.push_back(next);
      }
    }
    return {};
  }

  [[nodiscard]] bool tired() const { return steps_ > kMostSteps; }

 private:
  [[nodiscard]] std::vector<std::size_t> WayTo(std::size_t end, std::size_t start) const {
    std::vector<std::size_t> way;
    for (std::size_t node = end; node != start; node = from_[node]) way.push_back(node);
    way.push_back(start);
    std::reverse(way.begin(), way.end());
    return way;
  }

  const Graph& graph_;
  const std::vector<std::size_t>& component_;
  std::vector<std::size_t> from_;
  std::vector<std::size_t> seen_by_;  ///< The start of the search that came by last.
  std::size_t steps_ = 0;
};

}  // namespace

Cycles FindCycles(const Graph& graph) {
  Cycles found;
  found.of_node.resize(graph.size());
  const std::vector<std::size_t> component = Components(graph).Find();
  std::vector<std::size_t> size(graph.size(), 0);
  for (const std::size_t one : component) ++size[one];
  std::vector<std::size_t> cycle_of(graph.size(), kUnseen);  // Some cycle of each component.
  ShortestCycle search(graph, component);
  for (std::size_t node = 0; node < graph.size(); ++node) {
    if (found.of_node[node]) continue;
    const bool alone = size[component[node]] == 1;
    std::size_t& known = cycle_of[component[node]];
    if (!alone && search.tired() && known != kUnseen) {
      found.of_node[node] = CyclePlace{known, 0};
      continue;
    }
    // Most nodes lead nowhere near themselves.
    if (alone && std::find(graph[node].begin(), graph[node].end(), node) == graph[node].end()) {
      continue;
    }
    std::vector<std::size_t> cycle = search.Through(node);
    known = found.cycles.size();
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (!found.of_node[cycle[i]]) found.of_node[cycle[i]] = CyclePlace{known, i};
    }
    found.cycles.push_back(std::move(cycle));
  }
  return found;
}

}  // namespace bindery::admission
