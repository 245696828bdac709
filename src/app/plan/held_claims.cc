#include "app/plan/held_claims.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "convert/convert.h"
#include "core/access/grant.h"
#include "core/base/json.h"
#include "core/text/ascii.h"
#include "reconcilers/condition_order.h"

namespace bindery::app {
namespace {

/// A name with this text in the place of kUnknownPart is checked like a known name.
constexpr std::string_view kPlaceholder = "unknownpart";

/// The part of a target's policy that a spec holds. Texts may contain kUnknownPart.
struct PolicyPart {
  std::string policy;                ///< KindTraits::policy
  std::string target;                ///< Canonical.
  bool known = true;                 ///< The target is a full name without unknown parts.
  std::string role;                  ///< Empty: all of the policy.
  bool setting = false;              ///< `role` is a service whose logging is configured.
  bool settings = false;             ///< Of a whole policy: that of logging is part of it.
  std::string member;                ///< Empty: all members.
  std::vector<std::string> members;  ///< Of a binding; in lower case, as `member`.
  std::optional<Condition> condition = {};
  bool condition_known = true;
  bool absent = false;
};

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

const std::string& UnknownText() {
  static const std::string kUnknown(1, convert::kUnknownPart);
  return kUnknown;
}

/// The text under the key; kUnknownPart without a text.
std::string TextOr(const Json& spec, const char* key) {
  const Json* value = FindMember(spec, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : UnknownText();
}

void AddCondition(const Json& spec, PolicyPart& part) {
  const Json* condition = FindMember(spec, "condition");
  if (condition == nullptr || condition->is_null()) return;
  if (!condition->is_object()) {
    part.condition = Condition{};
    part.condition_known = false;
    return;
  }
  const auto text = [&](const char* key) {
    return FindMember(*condition, key) == nullptr ? std::string() : TextOr(*condition, key);
  };
  part.condition = Condition{TextOr(*condition, "expression"), text("title"), text("description")};
  for (const std::string& each :
       {part.condition->expression, part.condition->title, part.condition->description}) {
    part.condition_known =
        part.condition_known && each.find(convert::kUnknownPart) == std::string::npos;
  }
}

/// The members of a binding. Empty: they are not known.
std::vector<std::string> MembersIn(const Json& spec) {
  const Json* list = FindMember(spec, "members");
  std::vector<std::string> members;
  for (const Json& member : list != nullptr && list->is_array() ? *list : Json::array()) {
    members.push_back(member.is_string() ? AsciiLower(member.get<std::string>()) : UnknownText());
  }
  return members;
}

/// The fields that identify the resource, as a single text.
std::string NameIn(const reconcilers::Kind& kind, const Json& spec,
                   const std::string& default_project) {
  const manifests::FieldList& inputs = kind.schema().inputs;
  if (FindMember(spec, "name") != nullptr) return TextOr(spec, "name");
  const bool in_parts = inputs.Find("name") != nullptr;
  for (const manifests::Field& field : inputs) {
    if (field.identity && !in_parts) return TextOr(spec, field.name.c_str());
  }
  // A name in parts is put together by the kind.
  const auto declared = kind.Declare(spec, default_project);
  return declared ? declared->target : UnknownText();
}

PolicyPart PartIn(const reconcilers::Kind& kind, const Json& spec,
                  const std::string& default_project) {
  const manifests::FieldList& inputs = kind.schema().inputs;
  PolicyPart part;
  part.policy = kind.traits().policy;
  const std::string name = NameIn(kind, spec, default_project);
  const bool whole = name.find(convert::kUnknownPart) == std::string::npos;
  const auto canonical =
      kind.CanonicalName(Replaced(name, UnknownText(), kPlaceholder), default_project);
  part.target = canonical ? Replaced(*canonical, kPlaceholder, UnknownText())
                : whole   ? name
                          : UnknownText();
  part.known = part.target.find(convert::kUnknownPart) == std::string::npos;
  if (inputs.Find("auditLogConfigs") != nullptr) {
    part.setting = true;
    part.role = TextOr(spec, "service");
    return part;
  }
  if (inputs.Find("role") == nullptr) {
    part.settings = FindMember(spec, "auditConfigs") != nullptr;
    return part;
  }
  part.role = TextOr(spec, "role");
  AddCondition(spec, part);
  if (inputs.Find("member") == nullptr) {
    part.members = MembersIn(spec);
    return part;
  }
  part.member = AsciiLower(TextOr(spec, "member"));
  const Json* absent = FindMember(spec, "absent");
  part.absent = absent != nullptr && absent->is_boolean() && absent->get<bool>();
  return part;
}

/// Whether a text fits a text with unknown parts. Linear for each unknown part.
bool Fits(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  bool floating = false;
  while (true) {
    const std::size_t end = std::min(pattern.find(convert::kUnknownPart), pattern.size());
    const std::string_view piece = pattern.substr(0, end);
    const bool last = end == pattern.size();
    if (last && floating) return text.size() - at >= piece.size() && text.ends_with(piece);
    const std::size_t found = floating ? text.find(piece, at) : at;
    const bool there = found != std::string_view::npos && text.substr(found).starts_with(piece);
    if (!there) return false;
    at = found + piece.size();
    if (last) return at == text.size();
    pattern.remove_prefix(end + 1);
    floating = true;
  }
}

/// Whether two texts with unknown parts have the same known begin and the same known end, as far as
/// both are known.
bool MayMeet(std::string_view a, std::string_view b) {
  const auto begin = [](std::string_view text) {
    return text.substr(0, text.find(convert::kUnknownPart));
  };
  const auto end = [](std::string_view text) {
    return text.substr(text.rfind(convert::kUnknownPart) + 1);
  };
  return (begin(a).starts_with(begin(b)) || begin(b).starts_with(begin(a))) &&
         (end(a).ends_with(end(b)) || end(b).ends_with(end(a)));
}

bool MayBeSame(const std::string& a, const std::string& b) {
  const bool both = a.find(convert::kUnknownPart) != std::string::npos &&
                    b.find(convert::kUnknownPart) != std::string::npos;
  return both ? MayMeet(a, b) : Fits(a, b) || Fits(b, a);
}

/// Whether both may be grants to one principal.
bool MayShareMember(const PolicyPart& a, const PolicyPart& b) {
  const auto of = [](const PolicyPart& part) {
    return part.member.empty() ? part.members : std::vector{part.member};
  };
  const std::vector<std::string> those = of(b);
  const std::vector<std::string> these = of(a);
  return these.empty() || those.empty() || std::ranges::any_of(these, [&](const auto& one) {
           return std::ranges::any_of(those,
                                      [&](const auto& other) { return MayBeSame(one, other); });
         });
}

/// Whether a write of the first claim replaces a wider grant of the second: one that permits all
/// that the first declares under its condition. Requires: both may be of the same role.
bool TakesWider(const PolicyPart& taker, const PolicyPart& held) {
  if (!taker.condition || !MayShareMember(taker, held)) return false;
  if (!taker.condition_known || !held.condition_known) return true;
  return taker.condition != held.condition &&
         reconcilers::IsContained(taker.condition, held.condition);
}

/// Whether a write of the first claim takes access of the second. Requires: both may be of the same
/// target.
bool Takes(const PolicyPart& taker, const PolicyPart& held, bool by_condition) {
  if (held.absent) return false;
  if (taker.role.empty()) return !held.setting || taker.settings;
  if (held.role.empty()) {
    if (taker.setting) return held.settings;
    return taker.member.empty() || taker.absent || taker.condition.has_value();
  }
  if (taker.setting != held.setting || !MayBeSame(taker.role, held.role)) return false;
  if (taker.setting) return true;
  if (taker.absent) return held.member.empty() || MayBeSame(taker.member, held.member);
  if (!taker.member.empty()) return TakesWider(taker, held);
  const bool known = taker.condition_known && held.condition_known;
  return !by_condition || !known || taker.condition == held.condition || TakesWider(taker, held);
}

/// The claims of policies, grouped by target.
struct ClaimsOnPolicy {
  std::multimap<std::string, std::size_t> by_target;
  std::vector<std::size_t> unknown;
};

class Rivals {
 public:
  Rivals(const convert::Conversion& conversion, const providers::Kinds& kinds, bool by_condition,
         const std::string& default_project)
      : conversion_(conversion), by_condition_(by_condition) {
    for (const convert::HeldClaim& claim : conversion.held) {
      const reconcilers::Kind* kind = kinds.Find(claim.kind->token);
      PolicyPart part = PartIn(*kind, yaml::ToJson(claim.spec), default_project);
      ClaimsOnPolicy& there = policies_[part.policy];
      if (part.known) {
        there.by_target.emplace(part.target, parts_.size());
      } else {
        there.unknown.push_back(parts_.size());
      }
      parts_.push_back(std::move(part));
    }
  }

  /// The claim that a draft takes access from; null: none.
  [[nodiscard]] const convert::HeldClaim* Of(const PolicyPart& taker) const {
    const auto found = policies_.find(taker.policy);
    if (found == policies_.end()) return nullptr;
    const auto [first, last] =
        taker.known ? found->second.by_target.equal_range(taker.target)
                    : std::pair(found->second.by_target.begin(), found->second.by_target.end());
    for (auto each = first; each != last; ++each) {
      if (const convert::HeldClaim* claim = Taken(taker, each->second)) return claim;
    }
    for (const std::size_t each : found->second.unknown) {
      if (const convert::HeldClaim* claim = Taken(taker, each)) return claim;
    }
    return nullptr;
  }

 private:
  [[nodiscard]] const convert::HeldClaim* Taken(const PolicyPart& taker, std::size_t index) const {
    const PolicyPart& held = parts_[index];
    const bool taken = MayBeSame(taker.target, held.target) && Takes(taker, held, by_condition_);
    return taken ? &conversion_.held[index] : nullptr;
  }

  const convert::Conversion& conversion_;
  bool by_condition_;
  std::vector<PolicyPart> parts_;  ///< As Conversion::held.
  std::map<std::string, ClaimsOnPolicy> policies_;
};

}  // namespace

std::vector<manifests::Problem> TakenFromLeftOut(const convert::Conversion& conversion,
                                                 const providers::Kinds& kinds, bool by_condition,
                                                 const std::string& default_project) {
  std::vector<manifests::Problem> problems;
  if (conversion.held.empty()) return problems;
  // Any project may complete a short name.
  const std::string project = default_project.empty() ? std::string(kPlaceholder) : default_project;
  const Rivals rivals(conversion, kinds, by_condition, project);
  for (const convert::Draft& draft : conversion.drafts) {
    const reconcilers::Kind* kind = kinds.Find(draft.kind->token);
    const yaml::Node* spec = draft.document.Find("spec");
    if (kind == nullptr || spec == nullptr || draft.kind->read_only) continue;
    const convert::HeldClaim* claim =
        rivals.Of(PartIn(*kind, yaml::ToJson(convert::KnownPart(*spec)), project));
    if (claim == nullptr) continue;
    manifests::Problem problem;
    problem.resource = draft.name;
    problem.message = "it would take access from " + claim->origin + ", which is left out";
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace bindery::app
