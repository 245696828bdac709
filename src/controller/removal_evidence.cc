#include "controller/removal_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bindery {
namespace {

std::string TimeText(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{}s", time.count() / 1000)
                                  : fmt::format("{}ms", time.count());
}

std::string Quoted(const std::string& path) { return "\"" + path + "\""; }

}  // namespace

void RemovalEvidence::Load(const EvidenceRecord& record) {
  look_ = record.look;
  for (const EvidenceRecord::Unread& unread : record.unread) {
    unread_[unread.path] = {{unread.path, "", unread.fingerprint, unread.ignored}, unread.since};
  }
  if (!record.ground.empty()) ground_ = GroundFromText(record.ground);
  if (!record.question.empty()) Ask(record.question);
  news_ = false;
}

EvidenceRecord RemovalEvidence::Record() const {
  EvidenceRecord record;
  record.look = look_;
  for (const auto& [path, unread] : unread_) {
    record.unread.push_back({path, unread.item.fingerprint, unread.item.ignored, unread.since});
  }
  if (ground_) record.ground = GroundText(*ground_);
  // What is asked because of the ground is found again by comparing with the ground.
  if (!asks_of_ground_) record.question = question_;
  return record;
}

bool RemovalEvidence::TakeNews() { return std::exchange(news_, false); }

void RemovalEvidence::TakeUnread(const std::vector<UnreadItem>& items) {
  std::map<std::string, Unread> now;
  for (const UnreadItem& item : items) {
    const auto before = unread_.find(item.path);
    const bool known =
        before != unread_.end() && before->second.item.fingerprint == item.fingerprint;
    now[item.path] = {item, known ? before->second.since : look_};
    if (!known) news_ = true;
  }
  for (const auto& [path, unread] : unread_) {
    const auto still = now.find(path);
    const bool same = still != now.end() && still->second.since == unread.since;
    if (!same) unread_went_ = look_;
  }
  news_ = news_ || now.size() != unread_.size();
  unread_ = std::move(now);
}

void RemovalEvidence::Ask(std::string question) {
  if (question_ == question) return;
  question_ = std::move(question);
  ++questions_asked_;
  news_ = true;
}

void RemovalEvidence::TakeGround(const Ground& ground) {
  exchanged_ = !looked_ || !ground_now_ || ground_now_->device != ground.device ||
               ground_now_->inode != ground.inode;
  ground_now_ = ground;
  const auto change = ground_ ? GroundChange(*ground_, ground, ground_of_this_run_) : std::nullopt;
  if (change) {
    if (question_.empty() || asks_of_ground_) Ask(*change);
    asks_of_ground_ = asks_of_ground_ || question_ == *change;
    return;
  }
  // It may have declared something there that it does not declare here.
  if (std::exchange(asks_of_ground_, false)) {
    Ask("the manifests directory was another one for a while (" + question_ + ")");
  }
  if (ground_ != ground) news_ = true;
  ground_ = ground;
  ground_of_this_run_ = true;
}

void RemovalEvidence::Looked(const DirectoryFacts& facts, const std::string& digest,
                             const Now& now) {
  ++look_;
  exchanged_ = false;
  looks_.emplace_back(look_, now.mono);
  while (looks_.size() > 1 && looks_[1].second + Long() <= now.mono) looks_.pop_front();
  TakeUnread(facts.unread);
  failure_.clear();
  // Its end is unknown: perhaps a moment ago.
  if (std::exchange(disturbed_, false)) RestFrom(now);
  // What changed and changed back between two looks did not rest.
  const bool stirred = facts.ground && std::exchange(newest_, facts.newest) != facts.newest;
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
  if (facts.ground) {
    if (under_way_.empty()) ++full_looks_;
    // Later ones say less than what this run saw itself: a link may lead to an older tree by now.
    const bool first = !ground_now_.has_value();
    if (first) quiet_by_stamps_ = under_way_.empty() && facts.newest + settle_ <= now.wall;
    TakeGround(*facts.ground);
  }
  looked_ = true;
}

void RemovalEvidence::Disturbed(const Now& now) {
  disturbed_ = true;
  RestFrom(now);
}

/// At the earliest.
void RemovalEvidence::RestFrom(const Now& now) {
  disturbed_at_ = now.mono;
  RestAgain(now);
}

void RemovalEvidence::RestAgain(const Now& now) {
  quiet_since_ = now.mono;
  quiet_by_stamps_ = false;
  full_looks_ = 0;
}

void RemovalEvidence::Failed(const std::string& why, const Now& now) {
  failure_ = why;
  Disturbed(now);
}

void RemovalEvidence::Missed(std::size_t missing, std::size_t known) {
  if (!exchanged_ || missing == 0 || !question_.empty()) return;
  const bool most = missing * 2 > known && (missing > 1 || known == 1);
  if (!most) return;
  Ask(fmt::format("{} of the {} manifests in force are missing from the manifests directory",
                  missing, known));
}

void RemovalEvidence::Moved(std::size_t moved) {
  if (moved == 0 || !question_.empty()) return;
  Ask(
      fmt::format("the configuration was changed: {} manifest{} that did not change name{} another "
                  "target or provider now",
                  moved, moved == 1 ? "" : "s", moved == 1 ? "s" : ""));
}

void RemovalEvidence::CloseQuestion() {
  if (question_.empty()) return;
  question_.clear();
  asks_of_ground_ = false;
  if (ground_now_) {
    ground_ = ground_now_;
    ground_of_this_run_ = true;
  }
  news_ = true;
}

const UnreadItem* RemovalEvidence::HolderOf(std::int32_t look) const {
  for (const auto& [path, unread] : unread_) {
    if (unread.since >= look) return &unread.item;
  }
  return nullptr;
}

const UnreadItem* RemovalEvidence::Blocker(const ClaimAge& age) const {
  if (const UnreadItem* holder = HolderOf(age.look); holder != nullptr) return holder;
  if (!age.fresh) return nullptr;
  for (const auto& [path, unread] : unread_) {
    if (!unread.item.ignored) return &unread.item;
  }
  return nullptr;
}

/// Within `settle`: what is closed may be opened again, and stamps say nothing of that.
bool RemovalEvidence::WasDisturbed(const Now& now) const {
  return disturbed_at_ && now.mono - *disturbed_at_ < settle_;
}

bool RemovalEvidence::IsQuiet(const Now& now) const {
  if (settle_.count() == 0) return true;
  if (!quiet_since_ || WasDisturbed(now) || !failure_.empty()) return false;
  return quiet_by_stamps_ || (now.mono - *quiet_since_ >= settle_ && full_looks_ >= 2);
}

bool RemovalEvidence::IsOld(std::int32_t look, const Now& now) const {
  if (WasDisturbed(now) || !failure_.empty() || full_looks_ == 0) return false;
  const auto at =
      std::lower_bound(looks_.begin(), looks_.end(), look,
                       [](const auto& one, std::int32_t wanted) { return one.first < wanted; });
  return at != looks_.end() && at->first < look_ && at->second + Long() <= now.mono;
}

RemovalEvidence::Verdict RemovalEvidence::Judge(const ClaimAge& age, const Now& now) const {
  if (!looked_ && settle_.count() > 0) {
    return {Answer::kPending, "the manifests directory has not been read since the start"};
  }
  if (age.look == 0) return {};
  const bool asks = !question_.empty() && age.answered != questions_asked_;
  if (asks) return {Answer::kAsk, question_};
  if (const UnreadItem* item = Blocker(age); item != nullptr) {
    return {Answer::kBlocked,
            Quoted(item->path) + " " + item->why + ": it may declare what is missing"};
  }
  if (age.urgent) return {};
  if (!failure_.empty()) return {Answer::kBlocked, failure_};
  if (!under_way_.empty()) {
    const Disturbance& first = under_way_.front();
    const bool stuck = under_way_since_ && now.mono - *under_way_since_ >= Long();
    return {stuck ? Answer::kBlocked : Answer::kPending, Quoted(first.path) + " " + first.what};
  }
  // While its file cannot be read nobody can see it go.
  if (IsQuiet(now) || IsOld(std::max({age.look, age.last, unread_went_}), now)) return {};
  return {Answer::kPending, "the manifests directory must stay unchanged for " + TimeText(settle_) +
                                " (manifests.settle)"};
}

std::string RemovalEvidence::UnreadText() const {
  if (unread_.empty()) return "";
  const UnreadItem& item = unread_.begin()->second.item;
  return Quoted(item.path) + " " + item.why;
}

bool RemovalEvidence::HasUnread() const {
  return std::any_of(unread_.begin(), unread_.end(),
                     [](const auto& unread) { return !unread.second.item.ignored; });
}

bool RemovalEvidence::MayClear(const Now& now) const {
  if (!looked_ || !question_.empty()) return false;
  return IsQuiet(now) || (!looks_.empty() && IsOld(looks_.front().first, now));
}

std::optional<MonoTime> RemovalEvidence::NextLook() const {
  if (settle_.count() == 0 || !quiet_since_ || looks_.empty()) return std::nullopt;
  constexpr std::chrono::milliseconds kShortest(100);
  return std::max(*quiet_since_ + settle_,
                  looks_.back().second + std::max(settle_ / 10, kShortest));
}

}  // namespace bindery
