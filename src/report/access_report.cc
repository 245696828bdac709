#include "report/access_report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/nearest.h"
#include "core/time_text.h"
#include "providers/kinds.h"
#include "report/access_principals.h"
#include "report/condition_judge.h"
#include "report/observed_access.h"
#include "report/principal_match.h"
#include "report/role_access.h"
#include "report/target_match.h"

namespace bindery {
namespace {

using report::ConditionJudge;
using report::GrantSources;
using report::Judgement;
using report::KnownHolders;
using report::Match;
using report::ObservedPolicy;
using report::Verdict;

/// What an answer is made from.
struct Question {
  const AccessQuery& query;
  std::vector<std::string> principals;  ///< Who is asked about; empty strings: anybody.
  std::string principals_note;
  ConditionJudge judge;
  report::RoleAccess roles;
  std::size_t most;  ///< Answers of each of the two parts that may be on the page.
};

/// An answer, and the grant it is made from.
struct Found {
  AccessAnswer answer;
  const ObservedPolicy* policy = nullptr;
  std::string role;  ///< Of the grant as it is in the policy.
};

/// What was found on the way to the answers.
struct Findings {
  std::vector<Found> certain;
  std::vector<Found> others;
  std::set<std::string> roles;       ///< Held on the targets looked at, by anyone.
  std::set<std::string> principals;  ///< Named in the policies looked at.
  std::map<Verdict, std::int64_t> counts;
  std::size_t targets = 0;  ///< With an answer.

  [[nodiscard]] std::size_t Answers() const {
    std::int64_t all = 0;
    for (const auto& [verdict, count] : counts) all += count;
    return static_cast<std::size_t>(all);
  }
};

bool IsRole(const Grant& grant, const std::string& role) {
  return role.empty() || role == "*" || grant.role == role || grant.role == "roles/" + role ||
         grant.role == "*";
}

/// The condition's verdict, as far as it is known that the grant is the principal's at all.
Judgement Judge(Question& question, const Grant& grant, Match match) {
  Judgement judgement = question.judge.Judge(grant.condition);
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

bool IsDirect(Match match) { return match == Match::kSame || match == Match::kDeleted; }

/// A grant that may answer the question.
struct Candidate {
  const ObservedPolicy& policy;
  const Grant& grant;
  const std::string& principal;  ///< Who is asked about; empty: anybody.
  Match match;                   ///< How the grant's principal is the one.
};

AccessAnswer AnswerOf(const Question& question, const Candidate& candidate,
                      const Judgement& judgement) {
  const auto& [policy, grant, principal, match] = candidate;
  AccessAnswer answer;
  answer.target = policy.target.name;
  answer.kind = policy.target.kind.str();
  answer.grant = {grant, TraitsOf(policy.target).words};
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
  answer.note = report::MembershipNote(grant.principal);
  if (policy.revision != 0) answer.revision = policy.revision;
  return answer;
}

bool IsCertain(Verdict verdict) {
  return verdict == Verdict::kGranted || verdict == Verdict::kNotGranted;
}

/// Counts it; an answer is made where it may be on the page.
void Add(const Question& question, const Candidate& candidate, const Judgement& judgement,
         Findings& findings, const std::string& note = {}) {
  ++findings.counts[judgement.verdict];
  auto& answers = IsCertain(judgement.verdict) ? findings.certain : findings.others;
  if (answers.size() >= question.most) return;
  AccessAnswer answer = AnswerOf(question, candidate, judgement);
  if (!note.empty()) answer.note = note;
  answers.push_back({std::move(answer), &candidate.policy, candidate.grant.role});
}

/// What gives most of two: granted, perhaps, unknown, not granted.
bool GivesMore(const Judgement& one, const Judgement& other) {
  const auto rank = [](Verdict verdict) {
    constexpr std::array kOrder = {Verdict::kGranted, Verdict::kDepends, Verdict::kUnknown,
                                   Verdict::kNotGranted};
    return std::ranges::find(kOrder, verdict) - kOrder.begin();
  };
  return rank(one.verdict) < rank(other.verdict);
}

/// It takes both: the grant, and what makes the principal one of those that the grant is for.
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

/// Whether `asked` is one of the holders; nothing: by their policy it is not.
std::optional<Judgement> IsHolder(Question& question, const KnownHolders& holders,
                                  const std::string& asked) {
  if (!holders.observed) {
    Judgement unknown;
    unknown.verdict = Verdict::kDepends;
    unknown.depends_on = {holders.role + " on " + holders.target.name};
    unknown.reason = "the policy of " + holders.target.name + " was not observed";
    return unknown;
  }
  std::optional<Judgement> best;
  for (const Grant& held : holders.grants) {
    const Match match = report::MatchOf(holders.target, held.principal, asked);
    if (match == Match::kNone) continue;
    Judgement judgement = Judge(question, held, match);
    if (!best || GivesMore(judgement, *best)) best = std::move(judgement);
  }
  return best;
}

/// The answers about a grant to the holders of a role on another target: of the one that is asked
/// about, or of all of them. No answer where no such holders are known.
Expected<void> AddThrough(Question& question, const ObservedPolicy& policy, const Grant& grant,
                          const std::string& asked, Findings& findings) {
  const auto known = question.roles.Of(grant.principal);
  if (!known) return Fail(known.error());
  if (*known == nullptr) return {};
  const KnownHolders& holders = **known;
  const auto add = [&](const std::string& principal, const Judgement& required) {
    Judgement judgement = Judge(question, grant, Match::kContains);
    AddRequirement(required, judgement);
    Add(question, {policy, grant, principal, Match::kContains}, judgement, findings,
        holders.Note());
  };
  if (!asked.empty()) {
    if (const auto judgement = IsHolder(question, holders, asked)) add(asked, *judgement);
    return {};
  }
  for (const Grant& held : holders.grants) {
    add(held.principal, Judge(question, held, Match::kSame));
  }
  return {};
}

/// Which manifest declares it, or which service gave it.
void AddSource(const GrantSources& sources, Found& found) {
  AccessAnswer& answer = found.answer;
  Grant grant = answer.grant.grant;
  grant.role = found.role;
  answer.source = sources.Of(found.policy->target, grant);
  if (found.policy->revision != 0) return;
  std::string access = sources.AccessOnRequest(found.policy->target, grant);
  if (access.empty()) return;
  answer.note = answer.note.empty() ? std::move(access) : answer.note + "; " + access;
}

void AddAnswer(Question& question, const ObservedPolicy& policy, const Grant& grant,
               const std::string& asked, Findings& findings) {
  Match match = Match::kSame;
  if (!asked.empty()) match = report::MatchOf(policy.target, grant.principal, asked);
  if (match == Match::kNone || (question.query.direct && !IsDirect(match))) return;
  Add(question, {policy, grant, asked, match}, Judge(question, grant, match), findings);
}

Expected<void> AddAnswers(Question& question, const ObservedPolicy& policy,
                          const std::vector<Grant>& grants, Findings& findings) {
  const std::size_t before = findings.Answers();
  for (const Grant& grant : grants) {
    findings.roles.insert(grant.role);
    if (!question.query.principal.empty()) findings.principals.insert(grant.principal);
    if (!IsRole(grant, question.query.role)) continue;
    for (const std::string& asked : question.principals) {
      AddAnswer(question, policy, grant, asked, findings);
      if (question.query.direct) continue;
      if (auto added = AddThrough(question, policy, grant, asked, findings); !added) return added;
    }
  }
  if (findings.Answers() > before) ++findings.targets;
  return {};
}

std::string Nearest(const std::string& word, const std::set<std::string>& known) {
  const auto nearest = NearestSpelling(word, std::vector<std::string>(known.begin(), known.end()));
  return nearest && *nearest != word ? "; did you mean \"" + *nearest + "\"?" : std::string();
}

std::string Join(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string NothingNames(const AccessQuery& query, const Findings& findings) {
  const std::string others = report::OfAnotherSort(query.principal, findings.principals);
  if (findings.principals.contains(query.principal) || others == query.principal) {
    return query.principal + " is named in policies, but holds nothing of what was asked for";
  }
  return "nothing names " + query.principal +
         (others.empty() ? Nearest(query.principal, findings.principals) : "; there is " + others);
}

/// Why there may be no answers, for people.
std::vector<std::string> NotesOfAnswers(const Question& question, std::size_t observed,
                                        std::size_t looked_at, const Findings& findings) {
  const AccessQuery& query = question.query;
  std::vector<std::string> notes;
  if (!question.principals_note.empty() && looked_at > 0) {
    notes.push_back(question.principals_note);
  }
  const std::string when = query.at ? " by " + FormatRfc3339(*query.at) : " yet";
  if (observed == 0) {
    notes.push_back("no policy was observed" + when +
                    ": nothing is known about access (bindery run observes the targets)");
  } else if (looked_at == 0) {
    notes.push_back(query.target + " was not observed" + when + ": nothing is known about it");
  } else if (findings.Answers() == 0 && !query.principal.empty()) {
    if (question.principals_note.empty()) notes.push_back(NothingNames(query, findings));
  } else if (findings.Answers() == 0 && !query.role.empty()) {
    notes.push_back("nobody holds " + query.role + Nearest(query.role, findings.roles) +
                    (findings.roles.empty() ? "" : "; held are: " + Join(findings.roles)));
  } else if (findings.Answers() == 0) {
    notes.push_back("nobody holds anything");
  }
  return notes;
}

Expected<std::set<Target>> AskedTargets(const ReportReader& store,
                                        const std::vector<ObservedPolicy>& policies,
                                        const AccessQuery& query) {
  std::vector<Target> observed;
  for (const ObservedPolicy& policy : policies) observed.push_back(policy.target);
  if (query.target.empty()) return std::set<Target>(observed.begin(), observed.end());
  const auto found = report::FindTargets(store, observed, query.target, query.default_project);
  if (!found) return Fail(found.error());
  return std::set<Target>(found->begin(), found->end());
}

/// One without a prefix may stand for several that the policies name.
Expected<report::AskedPrincipals> PrincipalsAsked(const ReportReader& store,
                                                  const AccessQuery& query,
                                                  const std::vector<ObservedPolicy>& policies,
                                                  const std::set<Target>& wanted) {
  std::set<std::string> named;
  if (query.principal.empty() || report::IsWholePrincipal(query.principal)) {
    return report::FindPrincipals(query.principal, named);
  }
  for (const ObservedPolicy& policy : policies) {
    if (!wanted.contains(policy.target)) continue;
    const auto grants = report::GrantsUnder(store, policy);
    if (!grants) return Fail(grants.error());
    for (const Grant& grant : *grants) {
      if (!report::StandsForEverybody(policy.target, grant)) named.insert(grant.principal);
    }
  }
  return report::FindPrincipals(query.principal, named);
}

AccessCounts CountsOfAnswers(Findings& findings) {
  return {findings.Answers(),
          findings.counts[Verdict::kGranted],
          findings.counts[Verdict::kNotGranted],
          findings.counts[Verdict::kDepends],
          findings.counts[Verdict::kUnknown],
          findings.targets};
}

/// The answers of the page. Of each part at least those that the page may show are there.
Expected<std::vector<AccessAnswer>> AnswersOn(const ReportReader& store, const ListPage& page,
                                              Findings& findings) {
  std::vector<Found> found = std::move(findings.certain);
  std::ranges::move(findings.others, std::back_inserter(found));
  std::ignore = KeepPage(found, page);
  std::set<Target> targets;
  for (const Found& each : found) targets.insert(each.policy->target);
  const auto sources = GrantSources::Read(store, targets);
  if (!sources) return Fail(sources.error());
  std::vector<AccessAnswer> answers;
  answers.reserve(found.size());
  for (Found& each : found) {
    AddSource(*sources, each);
    answers.push_back(std::move(each.answer));
  }
  return answers;
}

/// Of one part as many as the page and all before it may show.
std::size_t MostOf(const ListPage& page) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  if (!page.limit || *page.limit > kAll - page.offset) return kAll;
  return page.offset + *page.limit;
}

}  // namespace

Expected<AccessAnswers> AccessReport(const ReportReader& store, const AccessQuery& query,
                                     WallTime now, const ListPage& page) {
  const WallTime as_of = query.at.value_or(now);
  auto judge = ConditionJudge::Make(query.attributes, as_of);
  if (!judge) return Fail(judge.error());
  auto policies = report::ObservedPolicies(store, query.at);
  if (!policies) return Fail(policies.error());
  Expected<std::set<Target>> wanted = std::set<Target>();
  // An empty store knows no target: that is the answer, not a misspelling.
  if (!policies->empty()) wanted = AskedTargets(store, *policies, query);
  if (!wanted) return Fail(wanted.error());
  auto principals = PrincipalsAsked(store, query, *policies, *wanted);
  if (!principals) return Fail(principals.error());

  Question question = {query,
                       std::move(principals->all),
                       std::move(principals->note),
                       std::move(*judge),
                       {store, *policies},
                       MostOf(page)};
  Findings findings;
  std::size_t looked_at = 0;
  for (const ObservedPolicy& policy : *policies) {
    if (!wanted->contains(policy.target)) continue;
    const auto grants = report::GrantsUnder(store, policy);
    if (!grants) return Fail(grants.error());
    if (auto added = AddAnswers(question, policy, *grants, findings); !added) {
      return Fail(added.error());
    }
    ++looked_at;
  }
  AccessAnswers report;
  report.as_of = {as_of};
  report.request_time = question.judge.RequestTime();
  report.notes = NotesOfAnswers(question, policies->size(), looked_at, findings);
  report.summary = CountsOfAnswers(findings);
  auto answers = AnswersOn(store, page, findings);
  if (!answers) return Fail(answers.error());
  report.answers = std::move(*answers);
  if (!query.principal.empty()) report.principals = std::move(question.principals);
  return report;
}

}  // namespace bindery
