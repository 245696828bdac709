#include "controller/directory_rest.h"

#include <fmt/format.h>

#include <algorithm>

namespace bindery {
namespace {

std::string SettleText(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{}s", time.count() / 1000)
                                  : fmt::format("{}ms", time.count());
}

/// What changed and changed back since `newest`, the latest time stamp then, did not rest. A look
/// at some files tells of newer ones only: what it saw is no news to the next look at everything.
bool Stirred(const DirectoryFacts& facts, const std::optional<WallTime>& newest) {
  if (facts.ground) return newest.value_or(WallTime{}) != facts.newest;
  return newest && *newest < facts.newest;
}

}  // namespace

void DirectoryRest::Looked(const DirectoryFacts& facts, const std::string& digest,
                           std::int32_t look, const Now& now) {
  looks_.emplace_back(look, now.mono);
  while (looks_.size() > 1 && looks_[1].second + Long() <= now.mono) looks_.pop_front();
  failure_.clear();
  // Its end is unknown: perhaps a moment ago.
  if (std::exchange(disturbed_, false)) RestFrom(now);
  const bool first = facts.ground && !newest_;
  const bool stirred = Stirred(facts, newest_);
  if (facts.ground || stirred) newest_ = facts.newest;
  if (digest != digest_ || !quiet_since_ || stirred) {
    digest_ = digest;
    RestAgain(now);
  }
  under_way_ = facts.under_way;
  if (under_way_.empty()) {
    under_way_since_.reset();
  } else {
    if (!under_way_since_) under_way_since_ = now.mono;
    Disturbed(now);
  }
  if (facts.ground && under_way_.empty()) ++full_looks_;
  // Later ones say less than what this run saw itself: a link may lead to an older tree by now.
  if (first && stamps_ == Stamps::kUnseen) {
    const bool old = under_way_.empty() && facts.newest + settle_ <= now.wall;
    stamps_ = old ? Stamps::kOld : Stamps::kOfNoUse;
  }
}

void DirectoryRest::Disturbed(const Now& now) {
  disturbed_ = true;
  RestFrom(now);
}

void DirectoryRest::Unsettle() {
  quiet_since_.reset();
  stamps_ = Stamps::kOfNoUse;
  full_looks_ = 0;
}

void DirectoryRest::Failed(const std::string& why, const Now& now) {
  failure_ = why;
  Disturbed(now);
}

/// At the earliest.
void DirectoryRest::RestFrom(const Now& now) {
  disturbed_at_ = now.mono;
  RestAgain(now);
}

void DirectoryRest::RestAgain(const Now& now) {
  quiet_since_ = now.mono;
  if (stamps_ == Stamps::kOld) stamps_ = Stamps::kOfNoUse;
  full_looks_ = 0;
}

/// Within `settle`: what is closed may be opened again, and stamps say nothing of that.
bool DirectoryRest::WasDisturbed(const Now& now) const {
  return disturbed_at_ && now.mono - *disturbed_at_ < settle_;
}

bool DirectoryRest::IsQuiet(const Now& now) const {
  if (settle_.count() == 0) return true;
  if (!quiet_since_ || WasDisturbed(now) || !failure_.empty()) return false;
  return stamps_ == Stamps::kOld || (now.mono - *quiet_since_ >= settle_ && full_looks_ >= 2);
}

/// It is so long ago that it need not be quiet. That of the last look is not: no later one has
/// found the same.
bool DirectoryRest::IsOld(std::int32_t look, const Now& now) const {
  if (WasDisturbed(now) || !failure_.empty() || full_looks_ == 0) return false;
  const auto at =
      std::lower_bound(looks_.begin(), looks_.end(), look,
                       [](const auto& one, std::int32_t wanted) { return one.first < wanted; });
  return at != looks_.end() && at->first < looks_.back().first && at->second + Long() <= now.mono;
}

bool DirectoryRest::MaySettle(const Now& now) const {
  return IsQuiet(now) || (looked() && IsOld(looks_.front().first, now));
}

EvidenceVerdict DirectoryRest::Judge(std::int32_t look, const Now& now) const {
  if (!failure_.empty()) return {EvidenceAnswer::kBlocked, failure_};
  if (!under_way_.empty()) {
    const Disturbance& first = under_way_.front();
    const bool stuck = under_way_since_ && now.mono - *under_way_since_ >= Long();
    return {stuck ? EvidenceAnswer::kBlocked : EvidenceAnswer::kPending,
            "\"" + first.path + "\" " + first.what};
  }
  if (IsQuiet(now) || IsOld(look, now)) return {};
  return {EvidenceAnswer::kPending, "the manifests directory must stay unchanged for " +
                                        SettleText(settle_) + " (manifests.settle)"};
}

std::optional<MonoTime> DirectoryRest::NextLook() const {
  if (settle_.count() == 0 || looks_.empty()) return std::nullopt;
  constexpr std::chrono::milliseconds kShortest(100);
  const MonoTime soon = looks_.back().second + std::max(settle_ / 10, kShortest);
  // Two looks at everything have to find the same: the first need not wait.
  const bool first = full_looks_ == 0 && under_way_.empty() && failure_.empty();
  return quiet_since_ && !first ? std::max(*quiet_since_ + settle_, soon) : soon;
}

}  // namespace bindery
