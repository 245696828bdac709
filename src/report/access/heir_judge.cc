#include "report/access/heir_judge.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cel/evaluation/time.h"
#include "cel/implication/implication.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/printer.h"

namespace bindery::report {
namespace {

constexpr const char* kName = "resource.name";
constexpr const char* kService = "resource.service";
constexpr const char* kType = "resource.type";

/// Conditions of which all are true.
class Facts {
 public:
  void Equal(const std::string& attribute, const std::string& value) {
    if (!value.empty()) Add(attribute + " == " + cel::QuotedLiteral(value));
  }
  void Begin(const std::string& attribute, const std::string& value) {
    if (!value.empty()) Add(attribute + ".startsWith(" + cel::QuotedLiteral(value) + ")");
  }
  void Add(const std::string& fact) { text_ += (text_.empty() ? "" : " && ") + fact; }
  [[nodiscard]] std::string Text() && { return std::move(text_); }

 private:
  std::string text_;
};

/// What is known of the resources inside: a condition for each sort.
std::vector<std::string> ListFacts(const HeirQuestion& question, cel::Timestamp time) {
  std::vector<std::string> all;
  for (const providers::TargetPart& part : question.ancestry.parts) {
    Facts facts;
    facts.Add("request.time == timestamp(" + cel::QuotedLiteral(cel::ToString(time)) + ")");
    facts.Equal(kService, part.service);
    facts.Equal(kType, part.type);
    facts.Begin(kName, part.begin);
    for (const char* attribute : {kName, kService, kType}) {
      const auto given = question.attributes.find(attribute);
      if (given != question.attributes.end()) facts.Equal(attribute, given->second);
    }
    all.push_back(std::move(facts).Text());
  }
  return all;
}

/// Whether the permission is asked of the heir itself. Lists and new resources are asked of what
/// contains them.
bool IsOfHeir(const std::string& permission, const std::string& own) {
  if (own.empty() || !permission.starts_with(own + ".")) return false;
  const std::string verb = permission.substr(own.size() + 1);
  return verb != "list" && verb != "create";
}

}  // namespace

Expected<HeirJudge> HeirJudge::Make(const HeirQuestion& question, WallTime time) {
  auto open = ConditionJudge::Make(question.attributes, time);
  if (!open) return Fail(open.error());
  HeirJudge judge(*std::move(open));
  judge.heir_ = question.heir;
  std::map<std::string, std::string> attributes = question.attributes;
  std::vector<std::string> values = {""};
  for (const auto& [name, all] : question.ancestry.attributes) {
    if (question.attributes.contains(name) || all.empty()) continue;
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
  if (IsOfHeir(question.permission, question.ancestry.permissions)) return judge;
  judge.proves_ = question.permission.empty();
  judge.inside_ = ListFacts(question, judge.open_.RequestTime());
  return judge;
}

Judgement HeirJudge::JudgeHeir(const std::optional<Condition>& condition) {
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

Judgement HeirJudge::Judge(const std::optional<Condition>& condition) {
  Judgement judgement = JudgeHeir(condition);
  const bool is_true = judgement.verdict == Verdict::kGranted;
  const bool asks_inside = judgement.verdict == Verdict::kNotGranted || (is_true && !proves_);
  if (!condition || inside_.empty() || !asks_inside) return judgement;
  const Judgement open = open_.Judge(condition);
  if (open.verdict == judgement.verdict) return judgement;
  const auto [differs, added] = differs_.try_emplace(condition->expression);
  if (added) differs->second = DiffersInside(*condition, judgement.verdict);
  if (!differs->second) return judgement;
  judgement.verdict = Verdict::kDepends;
  judgement.depends_on = open.depends_on;
  if (judgement.depends_on.empty()) judgement.depends_on = {kName};
  judgement.reason = std::string("the condition is ") + (is_true ? "true" : "false") + " for " +
                     heir_ + ", and may be " + (is_true ? "false" : "true") +
                     " for a resource inside";
  return judgement;
}

bool HeirJudge::DiffersInside(const Condition& condition, Verdict verdict) const {
  const auto tree = cel::Parse(condition.expression);
  if (!tree) return true;
  return verdict == Verdict::kGranted ? MayBeFalseInside(**tree) : MayBeTrueInside(**tree);
}

bool HeirJudge::MayBeTrueInside(const cel::Expr& condition) const {
  const auto never = cel::Parse("false");
  return std::ranges::any_of(inside_, [&](const std::string& facts) {
    const auto both = cel::Parse("(" + cel::Print(condition) + ") && " + facts);
    cel::ProofBudget budget;
    return !never || !both || !cel::Implies(**both, **never, budget);
  });
}

bool HeirJudge::MayBeFalseInside(const cel::Expr& condition) const {
  return std::ranges::any_of(inside_, [&](const std::string& facts) {
    const auto known = cel::Parse(facts);
    cel::ProofBudget budget;
    return !known || !cel::Implies(**known, condition, budget);
  });
}

}  // namespace bindery::report
