#include "report/access/condition_judge.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "cel/evaluation/evaluator.h"
#include "cel/syntax/parser.h"
#include "core/text/nearest.h"
#include "core/text/time_text.h"
#include "report/text/json_fields.h"

namespace bindery::report {
namespace {

using cel::Value;

enum class AttributeType { kText, kTime, kNumber, kTexts };

const std::map<std::string, AttributeType>& Attributes() {
  static const std::map<std::string, AttributeType> kAttributes = {
      {"resource.name", AttributeType::kText},
      {"resource.service", AttributeType::kText},
      {"resource.type", AttributeType::kText},
      {"request.time", AttributeType::kTime},
      {"request.path", AttributeType::kText},
      {"request.host", AttributeType::kText},
      {"destination.ip", AttributeType::kText},
      {"destination.port", AttributeType::kNumber},
      {"principal.type", AttributeType::kText},
      {"principal.subject", AttributeType::kText},
      {"request.auth.access_levels", AttributeType::kTexts}};
  return kAttributes;
}

Error UnknownAttribute(const std::string& name) {
  std::vector<std::string> known;
  std::string list;
  for (const auto& [attribute, type] : Attributes()) {
    known.push_back(attribute);
    list += (list.empty() ? "" : ", ") + attribute;
  }
  std::string message = "conditions have no attribute \"" + name + "\"";
  const auto nearest = NearestSpelling(name, known);
  message += nearest ? ", did you mean \"" + *nearest + "\"?" : "; there are: " + list;
  return {Code::kInvalidArgument, std::move(message)};
}

Value GetTexts(const std::string& list) {
  std::vector<Value> texts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) texts.emplace_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return Value::OfList(std::move(texts));
}

Expected<Value> ParsedValue(const std::string& name, AttributeType type, const std::string& text) {
  switch (type) {
    case AttributeType::kText:
      return Value(text);
    case AttributeType::kTexts:
      return GetTexts(text);
    case AttributeType::kTime: {
      auto time = cel::ParseTimestamp(text);
      if (!time) time = cel::ParseDate(text);
      if (time) return Value(*time);
      return Fail(Code::kInvalidArgument,
                  name + " must be a time such as 2026-11-21T10:20:30Z, not \"" + text + "\"");
    }
    case AttributeType::kNumber: {
      std::int64_t number = 0;
      const char* end = text.data() + text.size();
      const auto [stop, failed] = std::from_chars(text.data(), end, number);
      if (failed == std::errc() && stop == end) return Value(number);
      return Fail(Code::kInvalidArgument, name + " must be a whole number, not \"" + text + "\"");
    }
  }
  return Value(text);
}

std::optional<TimeBounds> BoundsAt(const cel::Expr& condition, cel::Timestamp now) {
  const cel::TimeBounds bounds = cel::TimeBounds::Of(condition);
  const cel::TimePhase phase = bounds.PhaseAt(now);
  if (phase == cel::TimePhase::kUnbounded) return std::nullopt;
  return TimeBounds{phase, bounds.StartsAfter(now), bounds.EndsAfter(now)};
}

/// The message of a syntax error without the excerpt below it.
std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string WhyNot(const std::optional<TimeBounds>& bounds) {
  const auto text = [](const std::optional<cel::Timestamp>& time) {
    return time ? cel::ToString(*time) : std::string();
  };
  switch (bounds ? bounds->phase : cel::TimePhase::kUnbounded) {
    case cel::TimePhase::kAfter:
      return "the condition expired " + text(bounds->ends_at);
    case cel::TimePhase::kBefore:
      return "the condition starts " + text(bounds->starts_at);
    case cel::TimePhase::kNever:
      return "the condition is never true";
    case cel::TimePhase::kUnbounded:
    case cel::TimePhase::kWithin:
      break;
  }
  return "the condition is false";
}

}  // namespace

std::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGranted:
      return "granted";
    case Verdict::kNotGranted:
      return "not granted";
    case Verdict::kDepends:
      return "depends";
    case Verdict::kUnknown:
      return "unknown";
  }
  return "unknown";
}

Expected<ConditionJudge> ConditionJudge::Make(const std::map<std::string, std::string>& attributes,
                                              WallTime time) {
  ConditionJudge judge = At(time);
  for (const auto& [name, text] : attributes) {
    const auto known = Attributes().find(name);
    if (known == Attributes().end()) return Fail(UnknownAttribute(name));
    Expected<Value> value = ParsedValue(name, known->second, text);
    if (!value) return Fail(value.error());
    if (const auto* given = value->As<cel::Timestamp>()) judge.time_ = *given;
    judge.activation_.Set(name, std::move(*value));
  }
  judge.activation_.Set("request.time", judge.time_);
  return judge;
}

ConditionJudge ConditionJudge::At(WallTime time) {
  ConditionJudge judge;
  judge.activation_ = cel::IamActivation();
  judge.time_ = cel::ToCelTimestamp(time);
  judge.activation_.Set("request.time", judge.time_);
  return judge;
}

const Judgement& ConditionJudge::Judge(const std::optional<Condition>& condition) {
  static const Judgement kHeldAlways;
  if (!condition) return kHeldAlways;
  const auto [entry, added] = judged_.try_emplace(condition->expression);
  if (added) entry->second = WorkOut(condition->expression);
  return entry->second;
}

std::optional<TimeBounds> ConditionJudge::FindBounds(const std::string& expression) {
  if (expression.empty()) return std::nullopt;
  return Judge(Condition{expression, "", ""}).bounds;
}

std::optional<TimeBounds> ConditionJudge::DescribeTimeBounds(const Json& grant) {
  return FindBounds(StringMember(ObjectMember(grant, "condition"), "expression"));
}

Judgement ConditionJudge::WorkOut(const std::string& expression) const {
  Judgement judgement;
  judgement.verdict = Verdict::kUnknown;
  const auto tree = cel::Parse(expression);
  if (!tree) {
    judgement.reason = "the condition cannot be read: " + FirstLine(tree.error().message);
    return judgement;
  }
  judgement.bounds = BoundsAt(**tree, time_);
  const cel::Outcome outcome = cel::Evaluate(**tree, activation_);
  if (const auto* failure = std::get_if<cel::Failure>(&outcome)) {
    judgement.reason = "the condition fails: " + failure->message;
  } else if (const auto* unknown = std::get_if<cel::Unknown>(&outcome)) {
    judgement.verdict = Verdict::kDepends;
    judgement.depends_on = unknown->attributes;
  } else if (const bool* truth = std::get<Value>(outcome).As<bool>(); truth == nullptr) {
    judgement.reason = "the condition is neither true nor false but " +
                       std::string(std::get<Value>(outcome).TypeName());
  } else {
    judgement.verdict = *truth ? Verdict::kGranted : Verdict::kNotGranted;
    if (!*truth) judgement.reason = WhyNot(judgement.bounds);
  }
  return judgement;
}

}  // namespace bindery::report
