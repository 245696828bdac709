#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "report/forms/report_folder.h"
#include "report/values/activity_values.h"
#include "server/requests/operator_command.h"
#include "server/requests/plan_upload.h"

namespace bindery::server {

/// One health check: its subject, and the reason of a failure.
struct HealthCheck {
  std::string name;  ///< "loop", "store", "manifests", "first-pass", …
  bool ok = true;
  std::string detail;     ///< Why not; shown only to those who ask with ?verbose.
  bool liveness = false;  ///< Part of /livez; every check is part of /readyz and /healthz.
  std::string note = {};  ///< Of one that is ok, with ?verbose; empty: nothing.
};

/// Who asks for a plan: somebody at the UNIX socket of the machine, or over the network.
enum class PlanAsker { kLocal, kNetwork };

/// Takes the lines of a plan, the elements of `changes`, in place of the answer. Of one thread at a
/// time, until the answer.
class PlanLines {
 public:
  virtual ~PlanLines() = default;
  /// The next line, as compact JSON.
  virtual void Add(const std::string& line) = 0;
  /// The lines so far are void: the plan is made anew.
  virtual void Clear() = 0;
};

/// What the server asks of the running controller. Every function may be called from any thread,
/// does not block, and gives its answer later, on any thread, exactly once.
class Control {
 public:
  using Reply = std::function<void(Expected<Json>)>;
  virtual ~Control() = default;

  /// Carries out the command; the answer is the one that its type says.
  virtual void Execute(OperatorCommand command, std::string actor, Reply reply) = 0;
  /// The shape of `bindery plan -o json`. Empty `names`: everything. `lines`: if not null, the
  /// answer has no lines. kResourceExhausted when too many wait for theirs.
  virtual void Plan(std::vector<std::string> names, PlanAsker asker,
                    std::shared_ptr<PlanLines> lines, Reply reply) = 0;
  /// The same of an uploaded directory, as if it came after the one in force. Changes nothing.
  virtual void PlanDirectory(PlanUpload upload, PlanAsker asker, Reply reply) = 0;
  /// The text of /metrics, with gauges of the moment.
  virtual void Metrics(std::function<void(std::string)> reply) = 0;
  /// What was measured since the start. Does not block.
  [[nodiscard]] virtual report::ActivityReport Activity() const = 0;
  /// Does not block: answers from what the controller last published.
  [[nodiscard]] virtual std::vector<HealthCheck> Health() const = 0;
  /// The present settings of drift reports. Does not block.
  [[nodiscard]] virtual report::DriftSettings ReportSettings() const = 0;
};

}  // namespace bindery::server
