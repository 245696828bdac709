#include "report/access/access_report.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/text/nearest.h"
#include "core/text/time_text.h"
#include "report/access/access_findings.h"
#include "report/access/access_principals.h"
#include "report/access/condition_judge.h"
#include "report/access/observed_access.h"
#include "report/access/target_match.h"

namespace bindery {
namespace {

using report::AccessFindings;
using report::AccessQuestion;
using report::ConditionJudge;
using report::FoundAnswer;
using report::GrantSources;
using report::ObservedPolicy;
using report::Verdict;

std::string Nearest(const std::string& word, const std::set<std::string>& known) {
  const auto nearest = NearestSpelling(word, std::vector<std::string>(known.begin(), known.end()));
  return nearest && *nearest != word ? "; did you mean \"" + *nearest + "\"?" : std::string();
}

std::string Join(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string NothingNames(const AccessQuery& query, const AccessFindings& findings) {
  const std::string others = report::OfAnotherSort(query.principal, findings.principals);
  if (findings.principals.contains(query.principal) || others == query.principal) {
    return query.principal + " is named in policies, but holds nothing of what was asked for";
  }
  return "nothing names " + query.principal +
         (others.empty() ? Nearest(query.principal, findings.principals) : "; there is " + others);
}

/// Why there may be no answers, for people.
std::vector<std::string> NotesOfAnswers(const AccessQuestion& question, std::size_t observed,
                                        std::size_t looked_at, const AccessFindings& findings) {
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

/// The targets that are asked about; nothing: all.
using Wanted = std::optional<std::set<Target>>;

bool IsWanted(const Wanted& wanted, const ObservedPolicy& policy) {
  return !wanted || wanted->contains(policy.target);
}

Expected<Wanted> AskedTargets(const ReportReader& store,
                              const std::vector<ObservedPolicy>& policies,
                              const AccessQuery& query) {
  // An empty store knows no target: that is the answer, not a misspelling.
  if (query.target.empty() || policies.empty()) return std::nullopt;
  std::vector<Target> observed;
  for (const ObservedPolicy& policy : policies) observed.push_back(policy.target);
  const auto found = report::FindTargets(store, observed, query.target, query.default_project);
  if (!found) return Fail(found.error());
  return Wanted(std::in_place, found->begin(), found->end());
}

/// A name without a prefix may stand for several principals in policies.
Expected<report::AskedPrincipals> PrincipalsAsked(const ReportReader& store,
                                                  const AccessQuery& query,
                                                  const std::vector<ObservedPolicy>& policies,
                                                  const Wanted& wanted) {
  std::set<std::string> named;
  if (query.principal.empty() || report::IsWholePrincipal(query.principal)) {
    return report::FindPrincipals(query.principal, named);
  }
  for (const ObservedPolicy& policy : policies) {
    if (!IsWanted(wanted, policy)) continue;
    const auto grants = report::GrantsUnder(store, policy);
    if (!grants) return Fail(grants.error());
    for (const Grant& grant : *grants) {
      if (!report::StandsForEverybody(policy.target, grant)) named.insert(grant.principal);
    }
  }
  return report::FindPrincipals(query.principal, named);
}

AccessCounts CountsOfAnswers(AccessFindings& findings) {
  return {findings.Answers(),
          findings.counts[Verdict::kGranted],
          findings.counts[Verdict::kNotGranted],
          findings.counts[Verdict::kDepends],
          findings.counts[Verdict::kUnknown],
          findings.targets};
}

/// The answers of the page. Of each part at least those that the page may show are there.
Expected<std::vector<AccessAnswer>> AnswersOn(const ReportReader& store, const ListPage& page,
                                              AccessFindings& findings) {
  std::vector<FoundAnswer> found = std::move(findings.certain);
  std::ranges::move(findings.others, std::back_inserter(found));
  std::ignore = KeepPage(found, page);
  std::set<Target> targets;
  for (const FoundAnswer& each : found) targets.insert(each.policy->target);
  const auto sources = GrantSources::Read(store, targets);
  if (!sources) return Fail(sources.error());
  std::vector<AccessAnswer> answers;
  answers.reserve(found.size());
  for (FoundAnswer& each : found) {
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

/// What is looked at for an answer.
struct Ground {
  std::vector<ObservedPolicy> policies;
  Wanted wanted;
};

Expected<Ground> GroundOf(const ReportReader& store, const AccessQuery& query) {
  Ground ground;
  auto policies = report::ObservedPolicies(store, query.at);
  if (!policies) return Fail(policies.error());
  auto wanted = AskedTargets(store, *policies, query);
  if (!wanted) return Fail(wanted.error());
  return Ground{std::move(*policies), std::move(*wanted)};
}

/// Gives the answers about one policy to `take`, and keeps none.
Expected<void> GiveAnswers(const ReportReader& store, const ObservedPolicy& policy,
                           AccessFindings& findings, const TakeAnswer& take) {
  if (findings.certain.empty() && findings.others.empty()) return {};
  const auto sources = GrantSources::Read(store, {policy.target});
  if (!sources) return Fail(sources.error());
  for (auto* answers : {&findings.certain, &findings.others}) {
    for (FoundAnswer& found : *answers) {
      AddSource(*sources, found);
      take(found.answer, answers == &findings.certain);
    }
    answers->clear();
  }
  return {};
}

/// Goes through the policies; with `take` it gets the answers. Gives how many were looked at.
Expected<std::size_t> Look(const ReportReader& store, const Ground& ground,
                           AccessQuestion& question, AccessFindings& findings,
                           const TakeAnswer& take) {
  std::size_t looked_at = 0;
  for (const ObservedPolicy& policy : ground.policies) {
    if (!IsWanted(ground.wanted, policy)) continue;
    const auto grants = report::GrantsUnder(store, policy);
    if (!grants) return Fail(grants.error());
    auto done = AddAnswers(question, policy, *grants, findings);
    if (done && take) done = GiveAnswers(store, policy, findings, take);
    if (!done) return Fail(done.error());
    ++looked_at;
  }
  return looked_at;
}

/// All answers go to `take`; without it those of the page are in the report.
Expected<AccessAnswers> Answer(const ReportReader& store, const AccessQuery& query, WallTime now,
                               const ListPage& page, const TakeAnswer& take) {
  const WallTime as_of = query.at.value_or(now);
  auto judge = ConditionJudge::Make(query.attributes, as_of);
  if (!judge) return Fail(judge.error());
  const auto ground = GroundOf(store, query);
  if (!ground) return Fail(ground.error());
  auto principals = PrincipalsAsked(store, query, ground->policies, ground->wanted);
  if (!principals) return Fail(principals.error());

  AccessQuestion question = {query,
                             std::move(principals->all),
                             std::move(principals->note),
                             std::move(*judge),
                             {store, ground->policies},
                             MostOf(page)};
  AccessFindings findings;
  const auto looked_at = Look(store, *ground, question, findings, take);
  if (!looked_at) return Fail(looked_at.error());
  AccessAnswers report;
  report.as_of = {as_of};
  report.request_time = question.judge.RequestTime();
  report.notes = NotesOfAnswers(question, ground->policies.size(), *looked_at, findings);
  report.summary = CountsOfAnswers(findings);
  auto answers = AnswersOn(store, page, findings);
  if (!answers) return Fail(answers.error());
  report.answers = std::move(*answers);
  if (!query.principal.empty()) report.principals = std::move(question.principals);
  return report;
}

}  // namespace

Expected<AccessAnswers> AccessReport(const ReportReader& store, const AccessQuery& query,
                                     WallTime now, const ListPage& page) {
  return Answer(store, query, now, page, nullptr);
}

Expected<AccessAnswers> AccessReport(const ReportReader& store, const AccessQuery& query,
                                     WallTime now, const TakeAnswer& take) {
  return Answer(store, query, now, {}, take);
}

}  // namespace bindery
