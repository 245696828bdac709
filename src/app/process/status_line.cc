#include "app/process/status_line.h"

#include <cstddef>

#include "core/text/count.h"

namespace bindery::app {

std::string StatusLine(const controller::Engine& engine,
                       const std::vector<server::HealthCheck>& checks) {
  bool first_pass = false;
  for (const server::HealthCheck& check : checks) {
    if (check.ok) continue;
    if (check.name == "first-pass") {
      first_pass = true;
    } else {
      return check.name + ": " + check.detail;
    }
  }
  std::size_t checked = 0;
  std::size_t differences = 0;
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    if (target.calls.checked) ++checked;
    differences += target.drift.open->size();
  }
  const std::size_t targets = engine.catalog().claims().targets().size();
  if (first_pass) {
    return "first pass: " + std::to_string(checked) + " of " + Count(targets, "target") +
           " checked";
  }
  std::size_t resources = 0;
  std::size_t not_ready = 0;
  std::size_t suspended = 0;
  for (const auto& [name, entry] : engine.catalog().claims().resources()) {
    ++resources;
    if (entry.standing.status->state == ResourceState::kReady) continue;
    ++(entry.standing.status->state == ResourceState::kSuspended ? suspended : not_ready);
  }
  std::string line = Count(resources, "resource") + " on " + Count(targets, "target");
  if (suspended > 0) line += ", " + std::to_string(suspended) + " suspended";
  if (not_ready > 0) line += ", " + std::to_string(not_ready) + " not ready";
  if (suspended + not_ready == 0) line += ", all ready";
  if (differences > 0) line += ", " + Count(differences, "difference") + " open";
  if (!engine.removals().guard().held().Digest().empty())
    line += ", removals wait for approval: bindery guard";
  return line;
}

}  // namespace bindery::app
