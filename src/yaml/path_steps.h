#pragma once

#include <string>
#include <vector>

#include "yaml/reader.h"

namespace bindery::yaml {

/// The way to a key of the innermost of the maps and lists that are still open.
template <typename Frame>
[[nodiscard]] std::vector<PathStep> PathTo(const std::string& key, const std::vector<Frame>& open) {
  std::vector<PathStep> path;
  for (std::size_t i = 0; i + 1 < open.size(); ++i) {
    const Node& node = open[i].node;
    const bool in_list = node.kind == NodeKind::kList;
    path.push_back(in_list ? PathStep{{}, node.items.size(), true} : PathStep{open[i].key});
  }
  path.push_back(PathStep{key});
  return path;
}

}  // namespace bindery::yaml
