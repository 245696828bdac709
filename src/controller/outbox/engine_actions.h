#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "controller/calls/project_question.h"
#include "controller/claims/lent_check.h"
#include "controller/gates/target_work.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// What the shell around the engine must do, in this order: the changes (in order), then the
/// tasks.
struct EngineActions {
  struct CheckTask {
    TargetKey key;
    std::shared_ptr<const CheckJob> job;  ///< Never null.
  };
  struct WriteTask {
    TargetKey key;
    WriteJob job;
  };

  std::vector<store::StoreChange> changes;
  std::vector<CheckTask> checks;
  std::vector<WriteTask> writes;
  std::vector<std::function<void()>> replies;
  std::vector<ProjectQuestion> questions;
  std::vector<LentCheck> lent;
  [[nodiscard]] bool empty() const {
    return changes.empty() && checks.empty() && writes.empty() && replies.empty() &&
           questions.empty() && lent.empty();
  }
};

}  // namespace bindery::controller
