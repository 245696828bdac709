#include "controller/evidence/removal_evidence.h"

#include <algorithm>

namespace bindery::controller {

void RemovalEvidence::Load(const store::EvidenceRecord& record) {
  look_ = record.look;
  unread_.Load(record.unread);
  question_.Load(record.ground, record.question);
  settled_by_ = record.rules;
}

store::EvidenceRecord RemovalEvidence::Record() const {
  return {.look = look_,
          .unread = unread_.Records(),
          .ground = question_.RecordedGround(),
          .question = question_.RecordedQuestion(),
          .rules = settled_by_};
}

bool RemovalEvidence::TakeNews() {
  const bool of_unread = unread_.TakeNews();
  const bool of_question = question_.TakeNews();
  const bool of_rules = std::exchange(news_of_rules_, false);
  return of_unread || of_question || of_rules;
}

void RemovalEvidence::SettledByRules() {
  if (settled_by_ == rules_) return;
  settled_by_ = rules_;
  news_of_rules_ = true;
}

void RemovalEvidence::Looked(const manifests::DirectoryFacts& facts, const std::string& digest,
                             const Now& now) {
  ++look_;
  unread_.Looked(facts.unread, look_);
  rest_.Looked(facts, digest, look_, now);
  question_.Looked(takes_any_ground_ ? std::nullopt : facts.ground);
}

EvidenceVerdict RemovalEvidence::Judge(const ClaimAge& age, const Now& now) const {
  if (!rest_.looked() && rest_.settle().count() > 0) {
    return {EvidenceAnswer::kPending, "the manifests directory has not been read since the start"};
  }
  if (age.look == 0) return {};
  if (question_.Asks(age)) return {EvidenceAnswer::kAsk, question_.text()};
  if (const manifests::UnreadItem* item = unread_.FindBlocker(age); item != nullptr) {
    return {EvidenceAnswer::kBlocked,
            UnreadItems::GetText(*item) + ": it may declare what is missing"};
  }
  if (age.urgent) return rest_.JudgeUrgent(now);
  // While the file cannot be read nobody can see it go.
  return rest_.Judge(std::max({age.look, age.last, unread_.went()}), now);
}

bool RemovalEvidence::MayClear(const Now& now) const {
  return rest_.looked() && !question_.open() && rest_.MaySettle(now);
}

}  // namespace bindery::controller
