// When the model's observer takes a removal for justified.

#include <algorithm>
#include <chrono>

#include "model/observer.h"

namespace bindery::model {
namespace {

/// What waits longer for the pace of writes is not read.
constexpr std::chrono::seconds kLongestPace(10);

}  // namespace

/// At the last look somebody meant the grant, and could have been seen to mean it.
bool Observer::MayBeMeant(const GrantText& grant, WallTime wall) const {
  return std::any_of(meant_.begin(), meant_.end(), [&](const Doc& doc) {
    const auto grants = doc.Grants();
    if (std::find(grants.begin(), grants.end(), grant) == grants.end()) return false;
    // A minute is what clocks may differ by.
    const bool over = doc.until && *doc.until <= wall + std::chrono::minutes(1);
    // Of what came to lie elsewhere, or always did, nobody can tell.
    const bool elsewhere =
        away_.contains(doc.slot) && (ground_is_known_ || !of_store_.declared.contains(grant));
    const bool disowned =
        (store_lost_ && ignored_.contains(doc.slot)) || elsewhere || unseen_.contains(doc.slot);
    return !over && !disowned && !IsContested(doc);
  });
}

/// The team has another id, as far as anybody can tell: that was answered for long, or no other
/// answer is known.
bool Observer::IsOfOtherId(const GrantText& grant, MonoTime now) const {
  const auto since = cloud_.other_id_since();
  if (!since || !grant.ends_with("team:" + std::string(kTeamId))) return false;
  return !knows_team_ || now - *since >= settings_.confirm_emptied;
}

/// An approval counts until all that it lists is carried out.
bool Observer::IsUnderApproval(const GrantText& grant) const {
  const auto& holds = store_.state.holds;
  return std::any_of(holds.begin(), holds.end(), [&](const auto& hold) {
    return hold.second.state == HoldState::kApproved &&
           GrantsInHold(hold.second.items).contains(grant);
  });
}

void Observer::JudgeRemoval(const GrantText& grant, MonoTime now, WallTime wall) {
  if (approved_.contains(grant) || IsUnderApproval(grant)) return;
  if (denied_.contains(grant)) return Breach("removes what an operator denied: " + grant);
  if (restored_.contains(grant)) {
    return Breach("removes what only a restored store does not know: " + grant);
  }
  const auto found = known_.find(grant);
  if (found == known_.end()) return;  // Somebody else's.
  const Known& known = found->second;
  if (known.settled) return;
  const auto any_in = [&known](const std::set<int>& slots) {
    return std::any_of(known.slots.begin(), known.slots.end(),
                       [&slots](int slot) { return slots.contains(slot); });
  };
  const bool urgent = any_in(urgent_);
  const bool decided_before =
      git_since_ && any_in(urgent_before_git_) && now - *git_since_ < kLongestPace;
  if (urgent && git_since_ && !decided_before) {
    return Breach("removes while git is at work: " + grant);
  }
  if (urgent && under_way_) return;
  if (IsOfOtherId(grant, now)) return;
  if (MayBeMeant(grant, wall)) return Breach("removes what is declared: " + grant);
  if (!known.gone_since || urgent) return;
  if (stamps_fail_before_ && known.meant_last <= *stamps_fail_before_) return;
  if (RunningTime(*known.gone_since, now) < settings_.settle) {
    return Breach("removes what was declared a moment ago: " + grant);
  }
  if (under_way_) return Breach("removes while something is under way: " + grant);
  if (disturbed_at_ && RunningTime(*disturbed_at_, now) < settings_.settle) {
    return Breach("removes right after something was under way: " + grant);
  }
}

}  // namespace bindery::model
