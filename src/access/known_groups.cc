#include "access/known_groups.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <set>
#include <string_view>
#include <utility>

#include "core/text/ascii.h"
#include "core/text/time_text.h"

namespace bindery::access {
namespace {

constexpr std::string_view kGroupMember = "group:";
constexpr int kMostLevels = 10;
constexpr std::chrono::seconds kLongestQuestion{15};

}  // namespace

/// From a group through the groups inside.
class KnownGroups::Walk {
 public:
  Walk(KnownGroups& groups, const std::string& group) : groups_(groups), group_(group) {
    Open(group, 0);
  }

  std::optional<KnownMembers> Run() {
    while (!open_.empty()) {
      const auto [group, level] = open_.front();
      open_.pop_front();
      if (level >= kMostLevels) {
        groups_.gaps_[group] = "not asked: nested too deeply in " + group_;
        members_.push_back(group);
      } else if (!Enter(group, level) && level == 0) {
        return std::nullopt;
      }
    }
    KnownMembers known;
    known.members = std::move(members_);
    known.groups = std::move(inside_);
    known.origin = Origin();
    return known;
  }

 private:
  void Open(const std::string& group, int level) {
    if (seen_.insert(group).second) open_.emplace_back(group, level);
  }

  /// False: the members are not known, and the group stands for itself.
  bool Enter(const std::string& group, int level) {
    if (groups_.files_ != nullptr && groups_.files_->Lists(group)) {
      by_files_ = true;
      if (level > 0) inside_.push_back(group);
      auto listed = groups_.files_->FindMembers(group);
      // The members of groups that the files list are among the members already.
      for (const std::string& inside : listed->groups) {
        std::string lower = AsciiLower(inside);
        if (seen_.insert(lower).second) inside_.push_back(std::move(lower));
      }
      for (std::string& member : listed->members) Take(std::move(member), level);
      return true;
    }
    if (groups_.asker_ == nullptr) {
      members_.push_back(group);
      return false;
    }
    GroupAsker::Reading reading = groups_.Ask(group);
    if (!reading.direct.gap.empty()) {
      groups_.gaps_[group] = reading.direct.gap;
      members_.push_back(group);
    } else if (level > 0 && reading.known) {
      inside_.push_back(group);
    }
    if (!reading.known) return false;
    if (oldest_.empty() || reading.at < oldest_at_) {
      oldest_ = reading.origin;
      oldest_at_ = reading.at;
    }
    for (std::string& member : reading.direct.members) Take(std::move(member), level);
    return true;
  }

  void Take(std::string member, int level) {
    const std::string lower = AsciiLower(member);
    if (lower.starts_with(kGroupMember)) {
      Open(lower, level + 1);
    } else if (seen_.insert(lower).second) {
      members_.push_back(std::move(member));
    }
  }

  [[nodiscard]] std::string Origin() const {
    std::string origin = by_files_ ? "a list of groups" : "";
    if (oldest_.empty()) return origin;
    origin += (origin.empty() ? "" : " and ") + oldest_ + " at " + FormatRfc3339(oldest_at_);
    return origin;
  }

  KnownGroups& groups_;
  const std::string group_;
  std::deque<std::pair<std::string, int>> open_;
  std::set<std::string> seen_;
  std::vector<std::string> members_;
  std::vector<std::string> inside_;  ///< As KnownMembers::groups.
  bool by_files_ = false;
  std::string oldest_;  ///< The service of the oldest answer; empty: none was used.
  WallTime oldest_at_{};
};

GroupAsker::Reading KnownGroups::Ask(const std::string& group) {
  if (!budget_) {
    budget_ = providers::GroupBudget();
    budget_->ends = std::chrono::steady_clock::now() + kLongestQuestion;
  }
  return asker_->Read(group, *budget_);
}

std::optional<KnownMembers> KnownGroups::Expand(const std::string& group) {
  if (asker_ == nullptr && !files_->Lists(group)) return std::nullopt;
  return Walk(*this, group).Run();
}

const KnownMembers* KnownGroups::FindMembers(const std::string& principal) {
  if (files_ == nullptr && asker_ == nullptr) return nullptr;
  const std::string group = AsciiLower(principal);
  if (!group.starts_with(kGroupMember)) return nullptr;
  auto found = known_.find(group);
  if (found == known_.end()) found = known_.emplace(group, Expand(group)).first;
  return found->second ? &*found->second : nullptr;
}

std::string KnownGroups::DescribeGap(const std::string& principal) const {
  const auto found = gaps_.find(AsciiLower(principal));
  return found == gaps_.end() ? std::string() : found->second;
}

std::vector<std::string> KnownGroups::Gaps() const {
  constexpr std::size_t kMostShown = 10;
  std::vector<std::string> lines;
  for (const auto& [group, why] : gaps_) {
    if (lines.size() == kMostShown) break;
    lines.push_back("members of " + group + ": " + why);
  }
  if (gaps_.size() > lines.size()) {
    lines.push_back("members of " + std::to_string(gaps_.size() - lines.size()) + " more groups");
  }
  return lines;
}

}  // namespace bindery::access
