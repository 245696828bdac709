// Which trace the work on a target is.

#include "controller/engine.h"

namespace bindery {
namespace {

std::string_view TriggerOf(Priority priority) {
  switch (priority) {
    case Priority::kChange:
      return "change";
    case Priority::kRetry:
      return "retry";
    case Priority::kPeriodic:
      return "periodic";
  }
  return "";
}

}  // namespace

/// What comes before the pass is judged is part of it.
void Engine::TracePass(std::size_t targets, const Now& now) {
  if (!pass_deadline_) pass_ = {NewTrace(settings_.trace_sample_ratio), now.mono, 0, 0};
  pass_.targets += targets;
}

void Engine::TellPassJudged() {
  pass_.unread = pass_pending_.size();
  observer_.PassJudged(pass_);
}

/// Whoever asked for a check is a trace already: that goes on.
void Engine::NoteCaller(const TargetKey& key) {
  if (CurrentTrace().valid()) callers_.insert_or_assign(key, CurrentTrace());
}

/// It is nobody's business any more.
void Engine::Unqueue(const TargetKey& key) {
  queue_.Remove(key);
  callers_.erase(key);
  rollbacks_.erase(key);
}

/// A target of a pass is a trace of its own that links to the pass: a trace of ten thousand targets
/// nobody can look at.
void Engine::BeginTrace(const TargetKey& key, Work& work, CheckJob& job) {
  if (auto caller = callers_.extract(key); !caller.empty()) {
    job.trace = NewSpanOf(caller.mapped());
    work.trace_parent = caller.mapped().span;
  } else {
    job.trace = NewTrace(settings_.trace_sample_ratio);
  }
  if (job.trace.sampled && pass_pending_.contains(key)) work.pass = pass_.trace;
}

void Engine::DescribeTrace(const Work& work, TargetReport& report) {
  report.trigger = TriggerOf(work.taken.priority);
  if (work.job->connection != nullptr) report.provider = work.job->connection->provider;
  report.trace = work.job->trace;
  report.trace_parent = work.trace_parent;
  report.pass = work.pass;
  report.started = work.started;
}

}  // namespace bindery
