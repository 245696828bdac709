// Forms of values: https://cloud.google.com/iam/docs/conditions-attribute-reference and
// https://cloud.google.com/iam/docs/conditions-resource-attributes.

#include "providers/google/conditions/unmet_literals.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"
#include "core/text/nearest.h"
#include "providers/google/conditions/literals.h"

namespace bindery::google::conditions {
namespace {

using cel::Expr;
using cel::ExprKind;
using cel::ExprPtr;
using cel::Finding;
using cel::QuotedLiteral;

constexpr std::string_view kRolesAttribute = "iam.googleapis.com/modifiedGrantsByRole";
constexpr std::string_view kNever = ": this part of the condition never holds";
constexpr std::string_view kTagKeys = "tagKeys/";
constexpr std::string_view kTagValues = "tagValues/";

/// The documented attributes of api.getAttribute().
const std::vector<std::string>& ApiAttributes() {
  static const std::vector<std::string> kDocumented = {
      std::string(kRolesAttribute), "storage.googleapis.com/objectListPrefix",
      "aiplatform.googleapis.com/memoryScope", "aiplatform.googleapis.com/sessionUserId"};
  return kDocumented;
}

/// Services whose resources hold nothing of other services.
constexpr std::string_view kClosedServices[] = {
    "bigquery.googleapis.com", "cloudkms.googleapis.com", "secretmanager.googleapis.com",
    "spanner.googleapis.com", "storage.googleapis.com"};

void Add(const char* unit, const Expr& at, std::string message, std::vector<Finding>& findings) {
  findings.push_back({unit, cel::Severity::kWarning, at.at, std::move(message), {}});
}

std::string_view LastPart(std::string_view attribute) {
  return attribute.substr(attribute.rfind('/') + 1);
}

/// The documented attribute that the name is near to, or lacks the service of.
std::optional<std::string> IntendedAttribute(const std::string& name) {
  const std::vector<std::string>& known = ApiAttributes();
  if (std::ranges::find(known, name) != known.end()) return std::nullopt;
  if (auto nearest = NearestSpelling(name, known)) return nearest;
  for (const std::string& attribute : known) {
    const std::string last(LastPart(attribute));
    if (NearestSpelling(LastPart(name), std::span(&last, 1))) return attribute;
  }
  return std::nullopt;
}

/// The name of the attribute in `api.getAttribute(name, default)`; null: another expression.
const Expr* AskedAttribute(const Expr& expr) {
  const bool asked = expr.kind == ExprKind::kMember && expr.name == "getAttribute" &&
                     expr.args.size() == 3 && cel::IsPath(*expr.args[0], "api");
  return asked && cel::StringLiteral(*expr.args[1]) != nullptr ? expr.args[1].get() : nullptr;
}

void WarnOfAttribute(const Expr& expr, std::vector<Finding>& findings) {
  const Expr* asked = AskedAttribute(expr);
  const auto intended =
      asked == nullptr ? std::nullopt : IntendedAttribute(*cel::StringLiteral(*asked));
  if (!intended) return;
  Add("ApiAttributeLiteralCheck", *asked,
      QuotedLiteral(*cel::StringLiteral(*asked)) +
          " is not known as an attribute, did you mean \"" + *intended +
          "\"? Of an unknown attribute the default counts in every request, so that hasOnly() of "
          "[] limits nothing",
      findings);
}

bool IsNameOfRole(std::string_view text) {
  if (text.starts_with("roles/")) return text.size() > std::string_view("roles/").size();
  const bool custom = text.starts_with("projects/") || text.starts_with("organizations/");
  return custom && text.find("/roles/") != std::string_view::npos;
}

void WarnOfRoles(const Expr& expr, std::vector<Finding>& findings) {
  if (expr.kind != ExprKind::kMember || expr.name != "hasOnly" || expr.args.size() != 2) return;
  const Expr* asked = AskedAttribute(*expr.args[0]);
  if (asked == nullptr || *cel::StringLiteral(*asked) != kRolesAttribute) return;
  if (expr.args[1]->kind != ExprKind::kList) return;
  const auto is_other = [](const ExprPtr& item) {
    const std::string* text = cel::StringLiteral(*item);
    return text != nullptr && !IsNameOfRole(*text);
  };
  const std::vector<ExprPtr>& items = expr.args[1]->args;
  const auto first = std::ranges::find_if(items, is_other);
  if (first == items.end()) return;
  Add("RoleLiteralCheck", **first,
      QuotedLiteral(*cel::StringLiteral(**first)) +
          " is not the name of a role, and permits nothing: write roles/NAME, "
          "projects/PROJECT/roles/NAME or organizations/NUMBER/roles/NAME",
      findings);
}

/// "123456789012/env": behind the organization or project that has the key.
std::string FaultOfKey(std::string_view key) {
  if (key.starts_with(kTagKeys)) return " is the ID of a tag key, and not its name";
  const std::size_t slash = key.find('/');
  const bool whole = slash != std::string_view::npos && slash > 0 && slash + 1 < key.size();
  return whole ? ""
               : " is not the whole name of a tag key, such as \"123456789012/env\": the number of "
                 "the organization, or the ID of the project, is before it";
}

/// "prod"
std::string FaultOfValue(std::string_view value) {
  if (value.starts_with(kTagValues)) return " is the ID of a tag value, and not its name";
  return value.find('/') == std::string_view::npos
             ? ""
             : " is not the short name of a tag value, such as \"prod\"";
}

std::string FaultOfId(std::string_view id, std::string_view prefix) {
  return id.starts_with(prefix) ? "" : " is not an ID, such as \"" + std::string(prefix) + "1234\"";
}

void WarnOfTags(const Expr& expr, std::vector<Finding>& findings) {
  if (expr.kind != ExprKind::kMember || expr.args.size() < 2) return;
  const bool by_name = expr.name == "hasTagKey" || expr.name == "matchTag";
  const bool by_id = expr.name == "hasTagKeyId" || expr.name == "matchTagId";
  if ((!by_name && !by_id) || !cel::IsPath(*expr.args[0], "resource")) return;
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const std::string* text = cel::StringLiteral(*expr.args[i]);
    if (text == nullptr) continue;
    const bool key = i == 1;
    const std::string fault = by_id ? FaultOfId(*text, key ? kTagKeys : kTagValues)
                              : key ? FaultOfKey(*text)
                                    : FaultOfValue(*text);
    if (fault.empty()) continue;
    Add("TagLiteralCheck", *expr.args[i], QuotedLiteral(*text) + fault + std::string(kNever),
        findings);
  }
}

/// The strings that an attribute is compared with, by `==` or `in`.
std::vector<const Expr*> StringsEqualTo(std::string_view attribute, const Expr& expr) {
  std::vector<const Expr*> found;
  const auto take = [&found](const Expr& operand) {
    if (cel::StringLiteral(operand) != nullptr) found.push_back(&operand);
  };
  if (cel::IsCall(expr, "_==_", 2)) {
    if (cel::IsPath(*expr.args[0], attribute)) take(*expr.args[1]);
    if (cel::IsPath(*expr.args[1], attribute)) take(*expr.args[0]);
  } else if (cel::IsCall(expr, "_in_", 2) && cel::IsPath(*expr.args[0], attribute) &&
             expr.args[1]->kind == ExprKind::kList) {
    for (const ExprPtr& item : expr.args[1]->args) take(*item);
  }
  return found;
}

/// Whether a name that is `begin`, or `begin` and a part behind "/", can be the text, or begin with
/// the text.
bool FitsName(std::string_view text, bool whole, std::string_view begin) {
  if (text == begin) return true;
  const bool within =
      text.starts_with(begin) && (begin.ends_with('/') || text[begin.size()] == '/');
  return within || (!whole && begin.starts_with(text));
}

void WarnOfNames(const Expr& expr, const CheckContext& context, std::vector<Finding>& findings) {
  if (context.names_begin.empty()) return;
  const auto check = [&](const Expr& literal, bool whole) {
    const std::string& text = *cel::StringLiteral(literal);
    if (FitsName(text, whole, context.names_begin)) return;
    Add("ResourceNameLiteralCheck", literal,
        QuotedLiteral(text) +
            " is not the name of this resource or of a part of it, which begins "
            "with \"" +
            context.names_begin + "\"" + std::string(kNever),
        findings);
  };
  for (const Expr* literal : StringsEqualTo("resource.name", expr)) check(*literal, true);
  const bool starts = expr.kind == ExprKind::kMember && expr.name == "startsWith" &&
                      expr.args.size() == 2 && cel::IsPath(*expr.args[0], "resource.name");
  if (starts && cel::StringLiteral(*expr.args[1]) != nullptr) check(*expr.args[1], false);
}

/// Values of other services, which no resource below has.
void WarnOfServices(const Expr& expr, const CheckContext& context, std::vector<Finding>& findings) {
  const bool closed =
      std::ranges::find(kClosedServices, context.service) != std::end(kClosedServices);
  if (context.inherited || !closed) return;
  const std::string after =
      " is not of " + context.service + ", and this resource holds nothing else";
  for (const Expr* literal : StringsEqualTo("resource.service", expr)) {
    const std::string& text = *cel::StringLiteral(*literal);
    if (text == context.service || !IsKnownService(text)) continue;
    Add("ResourceServiceLiteralCheck", *literal, QuotedLiteral(text) + after + std::string(kNever),
        findings);
  }
  for (const Expr* literal : StringsEqualTo("resource.type", expr)) {
    const std::string& text = *cel::StringLiteral(*literal);
    // Locations belong to several services.
    const bool own =
        text.starts_with(context.service + "/") || text.starts_with("cloud.googleapis.com/");
    if (own || !IsKnownResourceType(text)) continue;
    Add("ResourceTypeLiteralCheck", *literal, QuotedLiteral(text) + after + std::string(kNever),
        findings);
  }
}

}  // namespace

void WarnOfUnmetLiterals(const Expr& expr, std::vector<Finding>& findings) {
  WarnOfAttribute(expr, findings);
  WarnOfRoles(expr, findings);
  WarnOfTags(expr, findings);
}

// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
void WarnOfUnmetComparisons(const Expr& condition, const CheckContext& context,
                            std::vector<Finding>& findings) {
  if (cel::IsCall(condition, "_&&_", 2) || cel::IsCall(condition, "_||_", 2)) {
    for (const ExprPtr& operand : condition.args) {
      WarnOfUnmetComparisons(*operand, context, findings);
    }
    return;
  }
  WarnOfNames(condition, context, findings);
  WarnOfServices(condition, context, findings);
}

}  // namespace bindery::google::conditions
