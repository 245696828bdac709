#include "app/observe/activity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bindery::app {
namespace {

double ToSeconds(MonoTime::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Only significant digits, so that the JSON does not look exact.
double Rounded(double value) {
  constexpr double kThousandths = 1'000;
  return std::round(value * kThousandths) / kThousandths;
}

}  // namespace

void Activity::WorkBegan(MonoTime now) {
  if (under_way_++ == 0) pass_began_ = now;
}

void Activity::WorkEnded(MonoTime now) {
  ++checks_;
  if (under_way_ > 0) --under_way_;
  if (under_way_ > 0 || !pass_began_) return;
  longest_pass_ = std::max(longest_pass_, now - *pass_began_);
  pass_began_.reset();
}

void Activity::Sample(controller::Engine& engine, const controller::Now& now) {
  // Work that was found needless ends without a word.
  if (engine.schedule().work().running() == 0) {
    under_way_ = 0;
    pass_began_.reset();
  }
  if (next_ && now.mono < *next_) return;
  const Point point = MakePoint(engine, now);
  auto budgets = engine.schedule().calls().gate().Budgets(now.mono);
  longest_pass_ = {};
  checks_ = 0;
  const MutexLock lock(mutex_);
  if (!since_) since_ = now.wall;
  if (points_.size() >= kMostSamples) Halve();
  points_.push_back(point);
  next_ = now.mono + period_;
  budgets_ = std::move(budgets);
}

Activity::Standing Activity::Count(const controller::Engine& engine) {
  Standing standing;
  standing.changes = engine.changes();
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    standing.open += target.drift.open->size();
  }
  for (const auto& [name, entry] : engine.catalog().claims().resources()) {
    ++standing.resources;
    if (entry.standing.status->state == ResourceState::kReady) ++standing.ready;
  }
  return standing;
}

Activity::Point Activity::MakePoint(controller::Engine& engine, const controller::Now& now) {
  if (!standing_ || standing_->changes != engine.changes()) standing_ = Count(engine);
  Point point;
  point.time = now.wall;
  point.open = standing_->open;
  point.resources = standing_->resources;
  point.ready = standing_->ready;
  point.held = static_cast<std::size_t>(engine.removals().guard().held().Grants());
  point.checks = checks_;
  point.pass = longest_pass_;
  if (pass_began_) point.pass = std::max(point.pass, now.mono - *pass_began_);
  for (const controller::CallGate::BudgetView& budget :
       engine.schedule().calls().gate().Budgets(now.mono)) {
    point.budget = std::min(point.budget, budget.headroom);
  }
  return point;
}

void Activity::Halve() {
  std::deque<Point> halved;
  for (std::size_t i = 1; i < points_.size(); i += 2) {
    Point both = points_[i];
    both.checks += points_[i - 1].checks;
    both.pass = std::max(both.pass, points_[i - 1].pass);
    both.budget = std::min(both.budget, points_[i - 1].budget);
    both.open = std::max(both.open, points_[i - 1].open);
    halved.push_back(both);
  }
  points_ = std::move(halved);
  period_ *= 2;
}

report::ActivityReport Activity::Report() const {
  const MutexLock lock(mutex_);
  report::ActivityReport report;
  report.since = since_;
  report.period_seconds = period_.count();
  for (const Point& point : points_) {
    report.samples.push_back({point.time, point.open, point.held, point.resources, point.ready,
                              point.checks, Rounded(ToSeconds(point.pass)), Rounded(point.budget)});
  }
  for (const controller::CallGate::BudgetView& budget : budgets_) {
    report.budgets.push_back({budget.provider, budget.quota_project, Rounded(budget.rate),
                              Rounded(budget.headroom), Rounded(ToSeconds(budget.paused)),
                              budget.refusals});
  }
  return report;
}

}  // namespace bindery::app
