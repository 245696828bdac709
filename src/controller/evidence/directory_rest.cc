#include "controller/evidence/directory_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bindery::controller {
namespace {

std::string SettleText(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{}s", time.count() / 1000)
                                  : fmt::format("{}ms", time.count());
}

/// A change that was reverted since `newest`, the latest time stamp then, is no rest. A look at
/// some files tells of newer ones only: what it saw is no news to the next look at everything.
bool Stirred(const manifests::DirectoryFacts& facts, const std::optional<WallTime>& newest) {
  if (facts.ground) return newest.value_or(WallTime{}) != facts.newest;
  return newest && *newest < facts.newest;
}

}  // namespace

bool DirectoryRest::StampProof::AreOld(std::chrono::milliseconds settle) const {
  if (trusts_clock) return true;
  if (!heard) return false;
  const auto since = std::chrono::duration_cast<WallTime::duration>(heard->second - begun);
  return newest + settle <= heard->first - since;
}

void DirectoryRest::HearTime(WallTime services, const Now& now) {
  if (!stamps_.heard) stamps_.heard = {services, now.mono};
}

void DirectoryRest::Looked(const manifests::DirectoryFacts& facts, const std::string& digest,
                           std::int32_t look, const Now& now) {
  time_.Look(now.mono);
  looks_.emplace_back(look, time_.counted());
  while (looks_.size() > 1 && looks_[1].second + Long() <= time_.counted()) looks_.pop_front();
  failure_.clear();
  // Its end is unknown: perhaps a moment ago.
  if (std::exchange(disturbed_, false)) RestFrom();
  const bool first = facts.ground && !newest_;
  const bool stirred = Stirred(facts, newest_);
  if (facts.ground || stirred) newest_ = facts.newest;
  if (digest != digest_ || !quiet_since_ || stirred) {
    digest_ = digest;
    RestAgain();
  }
  under_way_.work = facts.under_way;
  if (under_way_.work.empty()) {
    under_way_.since.reset();
  } else {
    if (!under_way_.since) under_way_.since = now.mono;
    Disturbed(now);
  }
  if (facts.ground && under_way_.work.empty()) ++full_looks_;
  // Later looks prove less than the observations of this run: a link may lead to an older tree by
  // now.
  if (first && stamps_.verdict == Stamps::kUnseen) {
    const WallTime begun = facts.begun.value_or(now.wall);
    // By a clock that was set back during the look, it is not known when the look began.
    const bool old = under_way_.work.empty() && facts.stamps_prove && begun <= now.wall &&
                     facts.newest + settle_ <= begun;
    stamps_.verdict = old ? Stamps::kOld : Stamps::kOfNoUse;
    stamps_.newest = facts.newest;
    stamps_.begun = now.mono - (now.wall - begun);
  }
}

void DirectoryRest::Disturbed(const Now& now) {
  disturbed_ = true;
  time_.Look(now.mono);
  RestFrom();
}

void DirectoryRest::Unsettle() {
  quiet_since_.reset();
  stamps_.verdict = Stamps::kOfNoUse;
  full_looks_ = 0;
}

void DirectoryRest::Failed(const std::string& why, const Now& now) {
  failure_ = why;
  Disturbed(now);
}

/// At the earliest.
void DirectoryRest::RestFrom() {
  disturbed_at_ = time_.counted();
  RestAgain();
}

void DirectoryRest::RestAgain() {
  quiet_since_ = time_.counted();
  if (stamps_.verdict == Stamps::kOld) stamps_.verdict = Stamps::kOfNoUse;
  full_looks_ = 0;
}

/// Within `settle`: a closed file may be opened again, and stamps do not tell.
bool DirectoryRest::WasDisturbed(const Now& now) const {
  return disturbed_at_ && time_.At(now.mono) - *disturbed_at_ < settle_;
}

bool DirectoryRest::IsQuiet(const Now& now) const {
  if (settle_.count() == 0) return true;
  if (!quiet_since_ || WasDisturbed(now) || !failure_.empty()) return false;
  return (stamps_.verdict == Stamps::kOld && stamps_.AreOld(settle_)) ||
         (time_.At(now.mono) - *quiet_since_ >= settle_ && full_looks_ >= 2);
}

/// Long enough ago that the directory need not be quiet. Never true for the last look, because no
/// later look has confirmed it.
bool DirectoryRest::IsOld(std::int32_t look, const Now& now) const {
  if (WasDisturbed(now) || !failure_.empty() || full_looks_ == 0) return false;
  const auto at =
      std::lower_bound(looks_.begin(), looks_.end(), look,
                       [](const auto& one, std::int32_t wanted) { return one.first < wanted; });
  return at != looks_.end() && at->first < looks_.back().first &&
         at->second + Long() <= time_.At(now.mono);
}

bool DirectoryRest::MaySettle(const Now& now) const {
  return IsQuiet(now) || (looked() && IsOld(looks_.front().first, now));
}

EvidenceVerdict DirectoryRest::Judge(std::int32_t look, const Now& now) const {
  if (!failure_.empty()) return {EvidenceAnswer::kBlocked, failure_};
  if (!under_way_.work.empty()) return WaitsFor(under_way_.work.front(), now);
  if (IsQuiet(now) || IsOld(look, now)) return {};
  return {EvidenceAnswer::kPending, "the manifests directory must stay unchanged for " +
                                        SettleText(settle_) + " (manifests.settle)"};
}

EvidenceVerdict DirectoryRest::JudgeUrgent(const Now& now) const {
  // What a look that failed would have told of git is not known.
  if (!failure_.empty()) return {EvidenceAnswer::kBlocked, failure_};
  const auto git = std::find_if(under_way_.work.begin(), under_way_.work.end(),
                                [](const manifests::Disturbance& one) { return one.git; });
  return git == under_way_.work.end() ? EvidenceVerdict{} : WaitsFor(*git, now);
}

EvidenceVerdict DirectoryRest::WaitsFor(const manifests::Disturbance& work, const Now& now) const {
  const bool stuck = under_way_.since && now.mono - *under_way_.since >= Long();
  return {stuck ? EvidenceAnswer::kBlocked : EvidenceAnswer::kPending,
          "\"" + work.path + "\" " + work.what};
}

std::optional<MonoTime> DirectoryRest::NextLook() const {
  if (settle_.count() == 0 || looks_.empty() || !time_.last()) return std::nullopt;
  constexpr std::chrono::milliseconds kShortest(100);
  const MonoTime::duration soon = std::max(settle_ / 10, kShortest);
  if (!quiet_since_) return *time_.last() + soon;
  // The work under way may take its time.
  if (!under_way_.work.empty() || !failure_.empty()) {
    return *time_.last() + std::max<MonoTime::duration>(settle_, soon);
  }
  // Two looks at everything have to find the same: the first need not wait.
  if (full_looks_ == 0) return *time_.last() + soon;
  const MonoTime::duration left = *quiet_since_ + settle_ - time_.counted();
  return *time_.last() + std::min(std::max(left, soon), time_.distance());
}

}  // namespace bindery::controller
