#include "report/access/heir_judge.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cel/evaluation/time.h"
#include "cel/implication/implication.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/printer.h"
#include "providers/resource_place.h"
#include "report/access/name_form.h"

namespace bindery::report {
namespace {

constexpr const char* kName = "resource.name";
constexpr const char* kService = "resource.service";
constexpr const char* kType = "resource.type";
constexpr const char* kFalse = "the condition is false";

/// Conditions of which all are true.
class FactTexts {
 public:
  void Equal(const std::string& attribute, const std::string& value) {
    if (!value.empty()) Add(attribute + " == " + cel::QuotedLiteral(value));
  }
  void Begin(const std::string& attribute, const std::string& value) {
    if (!value.empty()) Add(attribute + ".startsWith(" + cel::QuotedLiteral(value) + ")");
  }
  void Add(const std::string& fact) {
    if (!fact.empty()) text_ += (text_.empty() ? "" : " && ") + fact;
  }
  [[nodiscard]] std::string Text() && { return std::move(text_); }

 private:
  std::string text_;
};

/// The begin of a name of the form.
std::string BeginOfForm(const std::string& form) { return form.substr(0, form.find('*')); }

/// Whether the permission is asked of the heir itself. Lists and new resources are asked of what
/// contains them.
bool IsOfHeir(const std::string& permission, const std::string& own) {
  if (own.empty() || !permission.starts_with(own + ".")) return false;
  const std::string verb = permission.substr(own.size() + 1);
  return verb != "list" && verb != "create";
}

}  // namespace

HeirJudge::Facts HeirJudge::ListFacts(const HeirQuestion& question,
                                      const providers::TargetPart& part, cel::Timestamp time) {
  FactTexts texts;
  texts.Add("request.time == timestamp(" + cel::QuotedLiteral(cel::ToString(time)) + ")");
  texts.Equal(kService, part.service);
  texts.Equal(kType, part.type);
  texts.Begin(kName, part.begin.empty() ? BeginOfForm(part.form) : part.begin);
  for (const char* attribute : {kName, kService, kType}) {
    const auto given = question.attributes.find(attribute);
    if (given != question.attributes.end()) texts.Equal(attribute, given->second);
  }
  const bool has_open_type = part.type.empty() && !part.service.empty();
  return {std::move(texts).Text(), has_open_type ? part.service + "/" : "", part.form};
}

std::optional<HeirJudge::Facts> HeirJudge::ListOwnFacts(const HeirQuestion& question,
                                                        cel::Timestamp time) {
  const access::Ancestry& ancestry = question.ancestry;
  const auto is_given = [&question](const char* name) {
    return question.attributes.contains(name);
  };
  const auto get = [&](const char* name) {
    const auto known = ancestry.attributes.find(name);
    const bool is_known = known != ancestry.attributes.end() && known->second.size() == 1;
    return is_known && !is_given(name) ? known->second.front() : std::string();
  };
  const std::string form = is_given(kName) ? "" : ancestry.name_form;
  const bool has_open_type = get(kType).empty() && !is_given(kType) && !is_given(kService);
  const std::string type_begin = has_open_type ? ancestry.type_begin : "";
  if (type_begin.empty() && form.empty()) return std::nullopt;
  Facts facts = ListFacts(question, {get(kService), get(kType), "", form}, time);
  facts.type_begin = type_begin;
  return facts;
}

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
  judge.own_ = ListOwnFacts(question, judge.open_.RequestTime());
  if (IsOfHeir(question.permission, question.ancestry.permissions)) return judge;
  judge.proves_ = question.permission.empty();
  for (const providers::TargetPart& part : question.ancestry.parts) {
    judge.inside_.push_back(ListFacts(question, part, judge.open_.RequestTime()));
  }
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
  if (condition && own_ && judgement.verdict == Verdict::kDepends) {
    const auto [proof, added] = proved_.try_emplace(condition->expression);
    if (added) proof->second = ProveForHeir(*condition);
    if (!proof->second) return judgement;
    judgement.verdict = *proof->second ? Verdict::kGranted : Verdict::kNotGranted;
    judgement.depends_on.clear();
    judgement.reason = *proof->second ? "" : kFalse;
  }
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
  return std::ranges::any_of(inside_, [&](const Facts& facts) {
    return verdict == Verdict::kGranted ? MayBeFalse(**tree, facts) : MayBeTrue(**tree, facts);
  });
}

std::optional<bool> HeirJudge::ProveForHeir(const Condition& condition) const {
  const auto tree = cel::Parse(condition.expression);
  if (!tree || !own_) return std::nullopt;
  if (!MayBeTrue(**tree, *own_)) return false;
  if (!MayBeFalse(**tree, *own_)) return true;
  return std::nullopt;
}

bool HeirJudge::MayBeTrue(const cel::Expr& condition, const Facts& facts) {
  FactTexts known;
  known.Add("(" + cel::Print(condition) + ")");
  known.Add(facts.text);
  known.Begin(kType, facts.type_begin);
  known.Add(ListNameFacts(condition, facts.name_form));
  const auto both = cel::Parse(std::move(known).Text());
  const auto never = cel::Parse("false");
  cel::ProofBudget budget;
  return !never || !both || !cel::Implies(**both, **never, budget);
}

bool HeirJudge::MayBeFalse(const cel::Expr& condition, const Facts& facts) {
  FactTexts known;
  known.Add(facts.text);
  known.Add(ListNameFacts(condition, facts.name_form));
  const auto all = cel::Parse(std::move(known).Text());
  cel::ProofBudget budget;
  return !all || !cel::Implies(**all, condition, budget);
}

}  // namespace bindery::report
