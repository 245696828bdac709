#include "report/access/heir_judge.h"

#include <utility>

namespace bindery::report {

Expected<HeirJudge> HeirJudge::Make(const std::map<std::string, std::string>& given,
                                    const std::map<std::string, std::vector<std::string>>& known,
                                    WallTime time, const std::string& heir) {
  HeirJudge judge;
  judge.heir_ = heir;
  std::map<std::string, std::string> attributes = given;
  std::vector<std::string> values = {""};
  for (const auto& [name, all] : known) {
    if (given.contains(name) || all.empty()) continue;
    attributes[name] = all.front();
    if (all.size() == 1) continue;
    judge.varied_ = name;
    values = all;
  }
  for (const std::string& value : values) {
    if (!judge.varied_.empty()) attributes[judge.varied_] = value;
    auto made = ConditionJudge::Make(attributes, time);
    if (!made) return Fail(made.error());
    judge.judges_.push_back(*std::move(made));
  }
  return judge;
}

Judgement HeirJudge::Judge(const std::optional<Condition>& condition) {
  Judgement judgement = judges_.front().Judge(condition);
  for (ConditionJudge& other : judges_) {
    if (other.Judge(condition).verdict == judgement.verdict) continue;
    judgement.verdict = Verdict::kDepends;
    judgement.depends_on = {varied_};
    judgement.reason.clear();
    return judgement;
  }
  constexpr const char* kFalse = "the condition is false";
  if (judgement.reason == kFalse) judgement.reason += " for " + heir_;
  return judgement;
}

}  // namespace bindery::report
