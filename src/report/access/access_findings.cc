#include "report/access/access_findings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "providers/registry/kinds.h"
#include "reconcilers/principals.h"
#include "report/access/access_principals.h"
#include "report/access/principal_match.h"

namespace bindery::report {
namespace {

bool IsRole(const Grant& grant, const std::string& role) {
  return role.empty() || role == "*" || grant.role == role || grant.role == "roles/" + role ||
         grant.role == "*";
}

/// Whether the question is about the role of the grant; nothing: the role's permissions are not
/// known.
std::optional<bool> IsAsked(const AccessQuestion& question, const Grant& grant) {
  if (question.permissions == nullptr) return IsRole(grant, question.query.role);
  return question.permissions->Has(grant.role);
}

/// The verdict of the condition, no more certain than the match of the grant with the principal.
Judgement Limited(Judgement judgement, const Grant& grant, Match match) {
  const bool deleted = match == Match::kDeleted || grant.principal.starts_with("deleted:");
  if (deleted) {
    judgement.verdict = Verdict::kNotGranted;
    judgement.reason = "the principal is deleted";
    judgement.depends_on.clear();
  } else if (match == Match::kMayContain && judgement.verdict != Verdict::kNotGranted) {
    if (judgement.verdict == Verdict::kGranted) judgement.verdict = Verdict::kDepends;
    judgement.depends_on.push_back("membership in " + grant.principal);
  }
  return judgement;
}

/// By the attributes of the question alone.
Judgement Judge(AccessQuestion& question, const Grant& grant, Match match) {
  return Limited(question.judge.Judge(grant.condition), grant, match);
}

/// For the target that the view is about, and for the permission that is asked about.
Judgement JudgeIn(AccessQuestion& question, const PolicyView& view, const Grant& grant,
                  Match match) {
  Judgement judgement = view.judge == nullptr
                            ? Judge(question, grant, match)
                            : Limited(view.judge->Judge(grant.condition), grant, match);
  if (IsAsked(question, grant).has_value() || judgement.verdict == Verdict::kNotGranted)
    return judgement;
  if (judgement.verdict == Verdict::kGranted) judgement.verdict = Verdict::kDepends;
  judgement.depends_on.push_back("the permissions of " + grant.role);
  return judgement;
}

bool IsDirect(Match match) { return match == Match::kSame || match == Match::kDeleted; }

/// A grant that may answer the question.
struct Candidate {
  const PolicyView& view;
  const Grant& grant;
  const std::string& principal;           ///< Who is asked about; empty: anybody.
  Match match;                            ///< How the grant's principal is the one.
  const reconcilers::KindTraits& traits;  ///< Of the policy's kind.
};

/// What is not known of the members of a group-like principal.
std::string NoteOnMembers(const AccessQuestion& question, const std::string& principal) {
  const bool listed = question.roles.IsListed(principal);
  const std::string gap = question.roles.DescribeGap(principal);
  if (listed) return gap.empty() ? gap : "not all members are known: " + gap;
  std::string note(MembershipNote(principal));
  return gap.empty() ? note : note + ": " + gap;
}

AccessAnswer MakeAnswer(const AccessQuestion& question, const Candidate& candidate,
                        const Judgement& judgement) {
  const auto& [view, grant, principal, match, traits] = candidate;
  const ObservedPolicy& policy = *view.policy;
  const Target& target = view.heir == nullptr ? policy.target : *view.heir;
  AccessAnswer answer;
  answer.target = target.name;
  answer.kind = target.kind.str();
  if (view.heir != nullptr) answer.inherited_from = policy.target.name;
  if (policy.scanned != nullptr) answer.evidence = "scan";
  answer.grant = {grant, traits.words};
  // An open policy grants whatever relation was asked about.
  if (grant.role == "*" && !question.query.role.empty()) {
    answer.grant.grant.role = question.query.role;
  }
  answer.principal = principal.empty() ? grant.principal : principal;
  answer.verdict = judgement.verdict;
  answer.depends_on = judgement.depends_on;
  answer.reason = judgement.reason;
  answer.time_bounds = judgement.bounds;
  answer.observed_at = policy.observed_at;
  if (!IsDirect(match)) answer.via = grant.principal;
  answer.note = NoteOnMembers(question, grant.principal);
  if (policy.revision != 0) answer.revision = policy.revision;
  return answer;
}

bool IsCertain(Verdict verdict) {
  return verdict == Verdict::kGranted || verdict == Verdict::kNotGranted;
}

/// The number of answers on the page and before.
std::size_t CountUpTo(const ListPage& page) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  if (!page.limit || *page.limit > kAll - page.offset) return kAll;
  return page.offset + *page.limit;
}

/// Counts the answer; the answer is made if the page may show the answer. Certain answers come
/// first: the place of each is known at once.
void Add(const AccessQuestion& question, const Candidate& candidate, const Judgement& judgement,
         AccessFindings& findings, const std::string& note = {}) {
  ++findings.counts[judgement.verdict];
  const bool certain = IsCertain(judgement.verdict);
  if (certain && findings.before < question.page.offset) {
    ++findings.before;
    return;
  }
  auto& answers = certain ? findings.certain : findings.others;
  if (findings.before + answers.size() >= CountUpTo(question.page)) return;
  AccessAnswer answer = MakeAnswer(question, candidate, judgement);
  if (!note.empty()) answer.note = note;
  answers.push_back({std::move(answer), candidate.view.policy, candidate.grant.role});
}

/// Which of two gives more: granted, perhaps, unknown, not granted.
bool GivesMore(const Judgement& one, const Judgement& other) {
  const auto rank = [](Verdict verdict) {
    constexpr std::array kOrder = {Verdict::kGranted, Verdict::kDepends, Verdict::kUnknown,
                                   Verdict::kNotGranted};
    return std::ranges::find(kOrder, verdict) - kOrder.begin();
  };
  return rank(one.verdict) < rank(other.verdict);
}

/// Access takes the grant and `required`, the judgement of the principal as one of the holders.
void AddRequirement(const Judgement& required, Judgement& judgement) {
  const bool certain_no = judgement.verdict == Verdict::kNotGranted;
  if (certain_no || required.verdict == Verdict::kGranted) return;
  if (required.verdict == Verdict::kDepends) {
    judgement.depends_on.insert(judgement.depends_on.end(), required.depends_on.begin(),
                                required.depends_on.end());
    if (judgement.verdict == Verdict::kGranted) judgement.verdict = Verdict::kDepends;
    if (judgement.reason.empty()) judgement.reason = required.reason;
    return;
  }
  judgement.verdict = required.verdict;
  judgement.reason = required.reason;
  judgement.depends_on.clear();
}

/// Whether `asked` is one of the holders, by the rules of a target; nothing: the holders' policy
/// does not name `asked`.
std::optional<Judgement> FindHolder(AccessQuestion& question, const KnownHolders& holders,
                                    const reconcilers::PrincipalRules* rules,
                                    const std::string& asked) {
  if (!holders.observed) {
    Judgement unknown;
    unknown.verdict = Verdict::kDepends;
    unknown.depends_on = {holders.role + " on " + holders.target.name};
    unknown.reason = "the policy of " + holders.target.name + " was not observed";
    return unknown;
  }
  const AskedPrincipal principal(rules, asked, question.places);
  std::optional<Judgement> best;
  const auto take = [&](const Grant& held, Match match) {
    Judgement judgement = Judge(question, held, match);
    if (!best || GivesMore(judgement, *best)) best = std::move(judgement);
  };
  for (const Grant& held : holders.grants) {
    const Match match = principal.FindMatch(held.principal);
    if (match != Match::kNone) take(held, match);
  }
  // Whom else a replaced group may contain is known: the members are above.
  for (const Grant& held : holders.replaced) {
    if (const Match match = principal.FindMatch(held.principal); IsDirect(match)) take(held, match);
  }
  return best;
}

const std::optional<Judgement>& IsHolder(AccessQuestion& question, const KnownHolders& holders,
                                         const reconcilers::PrincipalRules* rules,
                                         const std::string& asked) {
  const auto [found, fresh] = question.holding.try_emplace({&holders, rules, asked});
  if (fresh) found->second = FindHolder(question, holders, rules, asked);
  return found->second;
}

/// The answers about a grant to the holders of a role on another target, or to a group: of `asked`,
/// or of all. No answer where no such holders are known.
Expected<void> AddThrough(AccessQuestion& question, const Candidate& candidate,
                          AccessFindings& findings) {
  const PolicyView& view = candidate.view;
  const Grant& grant = candidate.grant;
  const std::string& asked = candidate.principal;
  const auto known = question.roles.Of(grant.principal);
  if (!known) return Fail(known.error());
  if (*known == nullptr) return {};
  const KnownHolders& holders = **known;
  const Target rules = holders.role.empty() ? view.policy->GetRules() : holders.target;
  const auto add = [&](const std::string& principal, const Judgement& required) {
    Judgement judgement = JudgeIn(question, view, grant, Match::kContains);
    AddRequirement(required, judgement);
    Add(question, {view, grant, principal, Match::kContains, candidate.traits}, judgement, findings,
        holders.Note());
  };
  if (!asked.empty()) {
    const auto& judgement =
        IsHolder(question, holders, providers::GetTraits(rules).principals, asked);
    if (judgement) add(asked, *judgement);
    return {};
  }
  for (const Grant& held : holders.grants) {
    // A group that is not known as a whole is in the list anyway.
    if (held.principal == grant.principal) continue;
    add(held.principal, Judge(question, held, Match::kSame));
  }
  return {};
}

/// `match`: how the grant's principal is the asked one.
void AddAnswer(AccessQuestion& question, const Candidate& candidate, AccessFindings& findings) {
  const Match match = candidate.match;
  const Grant& grant = candidate.grant;
  if (match == Match::kNone || (question.query.direct && !IsDirect(match))) return;
  // A list tells who belongs to the group.
  if (match == Match::kMayContain && question.roles.IsListed(grant.principal)) return;
  Add(question, candidate, JudgeIn(question, candidate.view, grant, match), findings);
}

}  // namespace

void AddSource(const GrantSources& sources, FoundAnswer& found) {
  AccessAnswer& answer = found.answer;
  Grant grant = answer.grant.grant;
  grant.role = found.role;
  answer.source = sources.Of(found.policy->target, grant);
  if (found.policy->revision != 0) return;
  std::string access = sources.AccessOnRequest(found.policy->target, grant);
  if (access.empty()) return;
  answer.note = answer.note.empty() ? std::move(access) : answer.note + "; " + access;
}

Expected<void> AddAnswers(AccessQuestion& question, const PolicyView& view,
                          const std::vector<Grant>& grants, AccessFindings& findings) {
  const reconcilers::KindTraits& traits = providers::GetTraits(view.policy->GetRules());
  const reconcilers::PrincipalRules* rules = traits.principals;
  std::vector<AskedPrincipal> all_asked;
  for (const std::string& asked : question.principals) {
    all_asked.emplace_back(rules, asked, question.places);
  }
  for (const Grant& grant : grants) {
    findings.roles.insert(grant.role);
    if (!IsAsked(question, grant).value_or(true)) continue;
    for (std::size_t i = 0; i < all_asked.size(); ++i) {
      const std::string& asked = question.principals[i];
      const Match match = asked.empty() ? Match::kSame : all_asked[i].FindMatch(grant.principal);
      const Candidate candidate = {view, grant, asked, match, traits};
      AddAnswer(question, candidate, findings);
      // Of a group that cannot contain the principal, nobody needs to know the members.
      const bool outside = !asked.empty() && match != Match::kMayContain &&
                           (all_asked[i].foreign() || !MembershipNote(grant.principal).empty());
      if (question.query.direct || outside) continue;
      if (auto added = AddThrough(question, candidate, findings); !added) return added;
    }
  }
  return {};
}

}  // namespace bindery::report
