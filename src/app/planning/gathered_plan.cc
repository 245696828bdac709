#include "app/planning/gathered_plan.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "report/codec/json_text_writer.h"

namespace bindery::app {
namespace {

template <typename Value>
void Append(std::vector<Value>& to, std::vector<Value>&& more) {
  std::ranges::move(more, std::back_inserter(to));
}

}  // namespace

void GatheredPlan::Give(const report::PlanLine& line) const {
  std::string text;
  report::JsonTextWriter(text, 0, 0).Append(line);
  for (const auto& taker : takers_) taker->Add(text);
}

void GatheredPlan::Add(report::PassPlan part) {
  plan_.summary += part.summary;
  if (part.guard) plan_.guard = std::move(part.guard);
  if (takers_.empty()) {
    Append(plan_.changes, std::move(part.changes));
  } else {
    for (report::PlanLine& line : part.changes) Give(std::exchange(line, {}));
  }
  Append(plan_.waiting, std::move(part.waiting));
  Append(plan_.errors, std::move(part.errors));
}

void GatheredPlan::Clear() {
  for (const auto& taker : takers_) taker->Clear();
  plan_ = {};
}

}  // namespace bindery::app
