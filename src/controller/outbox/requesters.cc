#include "controller/outbox/requesters.h"

#include <utility>

namespace bindery::controller {

void Requesters::Add(const TargetKey& key, Reply reply) {
  if (reply) replies_.emplace(key, std::move(reply));
  if (telemetry::CurrentTrace().valid()) traces_.insert_or_assign(key, telemetry::CurrentTrace());
}

std::vector<Requesters::Reply> Requesters::TakeReplies(const TargetKey& key) {
  std::vector<Reply> taken;
  const auto [begin, end] = replies_.equal_range(key);
  for (auto it = begin; it != end; ++it) taken.push_back(std::move(it->second));
  replies_.erase(begin, end);
  return taken;
}

telemetry::TraceContext Requesters::TakeTrace(const TargetKey& key) {
  const auto node = traces_.extract(key);
  return node.empty() ? telemetry::TraceContext{} : node.mapped();
}

}  // namespace bindery::controller
