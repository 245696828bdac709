#include "providers/google/conditions/lints.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "cel/evaluation/zone.h"
#include "cel/expiry/expiry.h"
#include "cel/expiry/time_effect.h"
#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"
#include "cel/types/declarations.h"
#include "providers/google/conditions/attributes.h"
#include "providers/google/conditions/literals.h"
#include "providers/google/conditions/unmet_literals.h"
#include "providers/google/roles/basic_roles.h"

namespace bindery::google::conditions {
namespace {

using cel::Expr;
using cel::ExprKind;
using cel::ExprPtr;
using cel::Finding;
using cel::Position;
using cel::QuotedLiteral;
using cel::Severity;
using cel::TimeEffect;
using cel::TimeGetter;

constexpr std::size_t kMaxOperators = 12;
constexpr std::size_t kMaxHasOnly = 10;
constexpr std::string_view kModifiedGrants = "iam.googleapis.com/modifiedGrantsByRole";

bool IsConstant(const Expr& expr) { return expr.kind == ExprKind::kConstant; }

/// The second operand of a comparison; null when `expr` is no comparison or neither operand is
/// `wanted`.
const Expr* ComparedWith(const Expr& expr, const std::function<bool(const Expr&)>& wanted) {
  if (expr.kind != ExprKind::kCall || expr.args.size() != 2) return nullptr;
  for (const std::string_view name : {"_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"}) {
    if (expr.name != name) continue;
    if (wanted(*expr.args[0])) return expr.args[1].get();
    if (wanted(*expr.args[1])) return expr.args[0].get();
  }
  if (expr.name == "_in_" && wanted(*expr.args[0])) return expr.args[1].get();
  return nullptr;
}

/// The constants of a comparison: one, or the members of a list.
std::vector<const Expr*> ConstantsIn(const Expr& expr) {
  std::vector<const Expr*> constants;
  if (IsConstant(expr)) constants.push_back(&expr);
  if (expr.kind != ExprKind::kList) return constants;
  for (const ExprPtr& item : expr.args) {
    if (IsConstant(*item)) constants.push_back(item.get());
  }
  return constants;
}

/// Whether the text has the form of what the function takes: "2027-06-01T00:00:00Z" of timestamp(),
/// "2027-06-01" of date().
bool HasFormOfTime(std::string_view function, std::string_view text) {
  const auto take = [&text](std::string_view form) {
    const bool fits = text.size() >= form.size() &&
                      std::equal(form.begin(), form.end(), text.begin(), [](char want, char c) {
                        return want == 'd' ? c >= '0' && c <= '9' : want == c;
                      });
    if (fits) text.remove_prefix(form.size());
    return fits;
  };
  if (function == "date") return take("dddd-dd-dd") && text.empty();
  if (function != "timestamp" || !take("dddd-dd-ddTdd:dd:dd")) return false;
  if (take(".")) text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  if (take("Z")) return text.empty();
  return (take("+") || take("-")) && take("dd:dd") && text.empty();
}

/// "request.path", "compute.matchLoadBalancingSchemes()"; empty where nothing is asked for.
std::string AttributeIn(const Expr& expr) {
  if (expr.kind == ExprKind::kSelect) return MakePath(expr).value_or("");
  if (expr.kind != ExprKind::kMember) return "";
  const std::optional<std::string> owner = MakePath(*expr.args[0]);
  return owner ? *owner + "." + expr.name + "()" : "";
}

/// A getter of a time, not of a duration.
const TimeGetter* FindGetter(const Expr& expr) {
  if (expr.kind != ExprKind::kMember) return nullptr;
  const Expr& time = *expr.args[0];
  if (!IsPath(time, "request.time") && !IsCall(time, "timestamp", 1) && !IsCall(time, "date", 1)) {
    return nullptr;
  }
  const std::vector<TimeGetter>& getters = cel::TimeGetters();
  const auto found = std::find_if(getters.begin(), getters.end(),
                                  [&](const TimeGetter& known) { return known.name == expr.name; });
  return found == getters.end() ? nullptr : &*found;
}

/// The zone in `request.time.getHours("Europe/Berlin")`; null where a getter names none.
const Expr* ZoneIn(const Expr& expr) {
  if (expr.kind != ExprKind::kMember || expr.args.size() != 2) return nullptr;
  const std::vector<TimeGetter>& getters = cel::TimeGetters();
  const bool known = std::any_of(getters.begin(), getters.end(), [&](const TimeGetter& getter) {
    return getter.name == expr.name;
  });
  return known && StringLiteral(*expr.args[1]) != nullptr ? expr.args[1].get() : nullptr;
}

class Linter {
 public:
  explicit Linter(const CheckContext& context) : context_(context) {}

  std::vector<Finding> Run(const Expr& condition) {
    CheckRole();
    Visit(condition);
    WarnOfUnmetComparisons(condition, context_, findings_);
    CheckComplexity();
    CheckTimeRange(condition);
    return std::move(findings_);
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
  void Visit(const Expr& expr) {
    if (IsCall(expr, "_&&_", 2) || IsCall(expr, "_||_", 2)) operators_.push_back(expr.at);
    CheckLiteral(expr);
    CheckGetter(expr);
    CheckZone(expr);
    CheckHasOnly(expr);
    CheckDefault(expr);
    CheckResourceLiterals(expr);
    CheckRestricted(expr);
    WarnOfUnmetLiterals(expr, findings_);
    for (const ExprPtr& operand : expr.args) Visit(*operand);
  }

  void CheckRole() {
    const std::string& role = context_.role;
    const BasicRole* const basic = FindBasicRole(role);
    if (basic == nullptr || basic->reach == BasicReach::kNames) return;
    constexpr const char* kUnit = "BindingRoleAllowConditionCheck";
    if (!basic->primitive) {
      Warn(kUnit, {}, "a condition on \"" + role + "\" may be refused, as one on roles/owner is");
    } else if (context_.basic_refused) {
      Report(Severity::kError, kUnit, {},
             "Conditions can't be set on primitive roles: grant a narrower role than \"" + role +
                 "\"");
    } else {
      Warn(kUnit, {},
           "Conditions can't be set on primitive roles: services that hold to this refuse one on "
           "\"" +
               role + "\"");
    }
  }

  void CheckComplexity() {
    if (operators_.size() <= kMaxOperators) return;
    std::sort(operators_.begin(), operators_.end(),
              [](const auto& one, const auto& two) { return one.offset < two.offset; });
    Report(Severity::kError, "ConditionComplexityCheck", operators_[kMaxOperators],
           "Logical operators count must not be more than " + std::to_string(kMaxOperators));
  }

  /// Invalid times are no errors for the service: the condition then never grants. A day outside of
  /// every calendar is an error all the same: only a mistake writes such a day.
  void CheckLiteral(const Expr& expr) {
    if (expr.kind != ExprKind::kCall || expr.args.size() != 1) return;
    const std::string* text = StringLiteral(*expr.args[0]);
    if (text == nullptr) return;
    std::string form;
    if (expr.name == "timestamp" && !cel::ParseTimestamp(*text)) {
      form = "a time such as \"2027-06-01T00:00:00Z\"";
    } else if (expr.name == "date" && !cel::ParseDate(*text)) {
      form = "a date such as \"2027-06-01\"";
    } else if (expr.name == "duration" && !cel::ParseDuration(*text)) {
      form = "a duration such as \"3600s\"";
    }
    if (form.empty()) return;
    if (HasFormOfTime(expr.name, *text)) {
      Report(Severity::kError, "DateTimeCheck", expr.args[0]->at,
             QuotedLiteral(*text) + " does not exist: no calendar and no clock has it");
      return;
    }
    Warn("DateTimeCheck", expr.args[0]->at,
         QuotedLiteral(*text) + " is not " + form + ": this part of the condition never grants");
  }

  void CheckGetter(const Expr& expr) {
    const TimeGetter* getter = nullptr;
    const Expr* other = ComparedWith(expr, [&](const Expr& operand) {
      getter = FindGetter(operand);
      return getter != nullptr;
    });
    if (other == nullptr) return;
    for (const Expr* constant : ConstantsIn(*other)) {
      const auto* value = std::get_if<std::int64_t>(&constant->value);
      if (value == nullptr || (*value >= getter->least && *value <= getter->most)) continue;
      Warn("DateTimeRangeCheck", constant->at,
           "The value being compared to the specified timestamp function (" +
               std::string(getter->name) + ") must be in range [" + std::to_string(getter->least) +
               ", " + std::to_string(getter->most) + "].");
    }
  }

  /// A time zone that is none is no error for the service either.
  void CheckZone(const Expr& expr) {
    const Expr* const zone = ZoneIn(expr);
    if (zone == nullptr) return;
    const auto offset = cel::FindOffset(*StringLiteral(*zone), 0);
    if (offset) return;
    const bool judged = cel::InstalledZones().available;
    Warn("DateTimeCheck", zone->at,
         offset.error().message + (judged ? ": this part of the condition never grants" : ""));
  }

  void CheckHasOnly(const Expr& expr) {
    if (expr.kind != ExprKind::kMember || expr.name != "hasOnly" || expr.args.size() != 2) return;
    const Expr& list = *expr.args[1];
    const bool constant = list.kind == ExprKind::kList &&
                          std::all_of(list.args.begin(), list.args.end(),
                                      [](const ExprPtr& item) { return IsConstant(*item); });
    if (!constant) {
      Report(Severity::kError, "HasOnlyListConstCheck", list.begin,
             "hasOnly() takes a list of constants only");
    } else if (list.args.size() > kMaxHasOnly) {
      Report(Severity::kError, "HasOnlyListLengthCheck", list.begin,
             "the list of hasOnly() must not have more than " + std::to_string(kMaxHasOnly) +
                 " elements, it has " + std::to_string(list.args.size()));
    }
  }

  void CheckDefault(const Expr& expr) {
    const bool get = expr.kind == ExprKind::kMember && expr.name == "getAttribute" &&
                     expr.args.size() == 3 && IsPath(*expr.args[0], "api");
    if (!get) return;
    const std::string* name = StringLiteral(*expr.args[1]);
    const Expr& given = *expr.args[2];
    const bool empty = given.kind == ExprKind::kList && given.args.empty();
    if (name == nullptr || *name != kModifiedGrants || empty) return;
    Report(Severity::kError, "DrgGetAttributeDefaultValueCheck", given.begin,
           "the default value of " + std::string(kModifiedGrants) + " must be []");
  }

  void CheckResourceLiterals(const Expr& expr) {
    bool service = false;
    const Expr* other = ComparedWith(expr, [&](const Expr& operand) {
      service = IsPath(operand, "resource.service");
      return service || IsPath(operand, "resource.type");
    });
    if (other == nullptr) return;
    for (const Expr* constant : ConstantsIn(*other)) {
      const std::string* text = StringLiteral(*constant);
      if (text == nullptr) continue;
      if (service && !IsKnownService(*text)) {
        Warn("ResourceServiceLiteralCheck", constant->at,
             QuotedLiteral(*text) + " is not known as a value of resource.service" +
                 NearestService(*text));
      } else if (!service && !IsKnownResourceType(*text)) {
        Warn("ResourceTypeLiteralCheck", constant->at,
             QuotedLiteral(*text) + " is not known as a value of resource.type" +
                 NearestResourceType(*text));
      }
    }
  }

  /// Attributes that no request to the resource has: a condition with such an attribute never
  /// grants.
  void CheckRestricted(const Expr& expr) {
    const std::string attribute = AttributeIn(expr);
    constexpr const char* kUnit = "RestrictedAttributesCheck";
    switch (GetAvailability(attribute, context_.service, context_.inherited)) {
      case Availability::kPossible:
        break;
      case Availability::kNotOfService:
        Warn(kUnit, expr.begin,
             attribute + " is not available for resources of " + context_.service +
                 ": this part of the condition never grants");
        break;
      case Availability::kOfOtherPolicies:
        Warn(kUnit, expr.begin,
             attribute +
                 " is an attribute of principal access boundary policies: this part of the "
                 "condition never grants");
        break;
    }
  }

  void CheckTimeRange(const Expr& condition) {
    if (context_.now) {
      if (std::optional<Finding> expired = cel::ExpiredFinding(condition, *context_.now)) {
        findings_.push_back(*std::move(expired));
      }
    }
    const std::size_t before = findings_.size();
    VisitTimeParts(condition, [this](const Expr& part, const TimeEffect& effect) {
      CheckRange(part, effect);
    });
    if (findings_.size() == before) CheckRange(condition, FindTimeEffect(condition));
  }

  void CheckRange(const Expr& part, const TimeEffect& effect) {
    if (effect.comparisons == 0) return;
    if (effect.can_hold.IsNone()) {
      Warn("EffectiveTimeRangeCheck", part.begin,
           "the effective time range is empty: no request.time satisfies this");
    } else if (effect.can_fail.IsNone()) {
      Warn("EffectiveTimeRangeCheck", part.begin,
           "the effective time range is full: every request.time satisfies this");
    }
  }

  void Warn(std::string unit, const Position& at, std::string message) {
    Report(Severity::kWarning, std::move(unit), at, std::move(message));
  }
  void Report(Severity severity, std::string unit, const Position& at, std::string message) {
    findings_.push_back({std::move(unit), severity, at, std::move(message), {}});
  }

  const CheckContext& context_;
  std::vector<Position> operators_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> LintCondition(const Expr& condition, const CheckContext& context) {
  return Linter(context).Run(condition);
}

}  // namespace bindery::google::conditions
