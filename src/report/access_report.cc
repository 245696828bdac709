#include "report/access_report.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/nearest.h"
#include "core/time_text.h"
#include "providers/kinds.h"
#include "report/access_principals.h"
#include "report/condition_judge.h"
#include "report/observed_access.h"
#include "report/principal_match.h"
#include "report/target_match.h"

namespace bindery {
namespace {

using report::ConditionJudge;
using report::GrantSources;
using report::Judgement;
using report::Match;
using report::ObservedPolicy;
using report::Verdict;

/// What an answer is made from.
struct Question {
  const AccessQuery& query;
  std::vector<std::string> principals;  ///< Who is asked about; empty strings: anybody.
  std::string principals_note;
  ConditionJudge judge;
  GrantSources sources;
};

/// What was found on the way to the answers.
struct Findings {
  std::vector<AccessAnswer> answers;
  std::set<std::string> roles;       ///< Held on the targets looked at, by anyone.
  std::set<std::string> principals;  ///< Named in the policies looked at.
  std::map<Verdict, std::int64_t> counts;
  std::set<Target> targets;  ///< With an answer.
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

AccessAnswer AnswerOf(Question& question, const ObservedPolicy& policy, const Grant& grant,
                      const std::string& asked, Match match) {
  const Judgement judgement = Judge(question, grant, match);
  AccessAnswer answer;
  answer.target = policy.target.name;
  answer.kind = policy.target.kind.str();
  answer.grant = {grant, TraitsOf(policy.target).words};
  // An open policy grants whatever relation was asked about.
  if (grant.role == "*" && !question.query.role.empty()) {
    answer.grant.grant.role = question.query.role;
  }
  answer.principal = asked.empty() ? grant.principal : asked;
  answer.verdict = judgement.verdict;
  answer.depends_on = judgement.depends_on;
  answer.reason = judgement.reason;
  answer.time_bounds = judgement.bounds;
  answer.observed_at = policy.observed_at;
  answer.source = question.sources.Of(policy.target, grant);
  if (!IsDirect(match)) answer.via = grant.principal;
  answer.note = report::MembershipNote(grant.principal);
  if (policy.revision != 0) answer.revision = policy.revision;
  if (std::string access = question.sources.AccessOnRequest(policy.target, grant);
      policy.revision == 0 && !access.empty()) {
    answer.note = answer.note.empty() ? std::move(access) : answer.note + "; " + access;
  }
  return answer;
}

void AddAnswer(Question& question, const ObservedPolicy& policy, const Grant& grant,
               const std::string& asked, Findings& findings) {
  Match match = Match::kSame;
  if (!asked.empty()) match = report::MatchOf(policy.target, grant.principal, asked);
  if (match == Match::kNone || (question.query.direct && !IsDirect(match))) return;
  findings.answers.push_back(AnswerOf(question, policy, grant, asked, match));
  ++findings.counts[findings.answers.back().verdict];
  findings.targets.insert(policy.target);
}

void AddAnswers(Question& question, const ObservedPolicy& policy, const std::vector<Grant>& grants,
                Findings& findings) {
  for (const Grant& grant : grants) {
    findings.roles.insert(grant.role);
    if (!question.query.principal.empty()) findings.principals.insert(grant.principal);
    if (!IsRole(grant, question.query.role)) continue;
    for (const std::string& asked : question.principals) {
      AddAnswer(question, policy, grant, asked, findings);
    }
  }
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
  } else if (findings.answers.empty() && !query.principal.empty()) {
    if (question.principals_note.empty()) notes.push_back(NothingNames(query, findings));
  } else if (findings.answers.empty() && !query.role.empty()) {
    notes.push_back("nobody holds " + query.role + Nearest(query.role, findings.roles) +
                    (findings.roles.empty() ? "" : "; held are: " + Join(findings.roles)));
  } else if (findings.answers.empty()) {
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

bool IsCertain(const AccessAnswer& answer) {
  return answer.verdict == Verdict::kGranted || answer.verdict == Verdict::kNotGranted;
}

AccessCounts CountsOfAnswers(Findings& findings) {
  return {findings.answers.size(),
          findings.counts[Verdict::kGranted],
          findings.counts[Verdict::kNotGranted],
          findings.counts[Verdict::kDepends],
          findings.counts[Verdict::kUnknown],
          findings.targets.size()};
}

}  // namespace

Expected<AccessAnswers> AccessReport(const ReportReader& store, const AccessQuery& query,
                                     WallTime now) {
  const WallTime as_of = query.at.value_or(now);
  auto judge = ConditionJudge::Make(query.attributes, as_of);
  if (!judge) return Fail(judge.error());
  auto policies = report::ObservedPolicies(store, query.at);
  if (!policies) return Fail(policies.error());
  Expected<std::set<Target>> wanted = std::set<Target>();
  // An empty store knows no target: that is the answer, not a misspelling.
  if (!policies->empty()) wanted = AskedTargets(store, *policies, query);
  if (!wanted) return Fail(wanted.error());
  auto sources = GrantSources::Read(store, *wanted);
  if (!sources) return Fail(sources.error());

  auto principals = PrincipalsAsked(store, query, *policies, *wanted);
  if (!principals) return Fail(principals.error());

  Question question = {query, std::move(principals->all), std::move(principals->note),
                       std::move(*judge), std::move(*sources)};
  Findings findings;
  std::size_t looked_at = 0;
  for (const ObservedPolicy& policy : *policies) {
    if (!wanted->contains(policy.target)) continue;
    const auto grants = report::GrantsUnder(store, policy);
    if (!grants) return Fail(grants.error());
    AddAnswers(question, policy, *grants, findings);
    ++looked_at;
  }
  AccessAnswers report;
  report.as_of = {as_of};
  report.request_time = question.judge.RequestTime();
  report.notes = NotesOfAnswers(question, policies->size(), looked_at, findings);
  report.summary = CountsOfAnswers(findings);
  report.answers = std::move(findings.answers);
  std::stable_partition(report.answers.begin(), report.answers.end(), IsCertain);
  if (!query.principal.empty()) report.principals = std::move(question.principals);
  return report;
}

}  // namespace bindery
