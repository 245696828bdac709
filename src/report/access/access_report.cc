#include "report/access/access_report.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "access/group_source.h"
#include "access/known_groups.h"
#include "core/text/nearest.h"
#include "core/text/time_text.h"
#include "report/access/access_findings.h"
#include "report/access/access_ground.h"
#include "report/access/access_limits.h"
#include "report/access/access_principals.h"
#include "report/access/condition_judge.h"
#include "report/access/observed_access.h"
#include "report/access/principal_match.h"

namespace bindery::report {
namespace {

std::string Nearest(const std::string& word, const std::set<std::string>& known) {
  const auto nearest = NearestSpelling(word, std::vector<std::string>(known.begin(), known.end()));
  return nearest && *nearest != word ? "; did you mean \"" + *nearest + "\"?" : std::string();
}

std::string Join(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The grants of the views of a question, some views at a time.
class ViewGrants {
 public:
  /// Both must outlive the object.
  ViewGrants(const store::ReportReader& store, const AccessGround& ground)
      : store_(store), views_(ground.views) {}

  [[nodiscard]] const std::vector<PolicyView>& views() const { return views_; }

  /// The grants of the views from `first` on: of some, at least one.
  [[nodiscard]] Expected<std::vector<std::vector<Grant>>> From(std::size_t first) const {
    constexpr std::size_t kAtOnce = 64;
    std::vector<const ObservedPolicy*> policies;
    const std::size_t end = std::min(views_.size(), first + kAtOnce);
    for (std::size_t i = first; i < end; ++i) policies.push_back(views_[i].policy);
    return GrantsUnderEach(store_, policies);
  }

  /// Gives every grant, and the target of its policy.
  Expected<void> Each(const std::function<void(const Target&, const Grant&)>& take) const {
    for (std::size_t first = 0; first < views_.size();) {
      const auto some = From(first);
      if (!some) return Fail(some.error());
      for (const std::vector<Grant>& grants : *some) {
        for (const Grant& grant : grants) take(views_[first].policy->target, grant);
        ++first;
      }
    }
    return {};
  }

 private:
  const store::ReportReader& store_;
  const std::vector<PolicyView>& views_;
};

/// A text that is no principal of any provider is one nevertheless where a policy names it.
Expected<void> CheckIsNamed(const std::string& asked, const ViewGrants& grants) {
  bool is_named = false;
  auto read = grants.Each([&](const Target& target, const Grant& grant) {
    is_named = is_named ||
               NormalizePrincipal(target, grant.principal) == NormalizePrincipal(target, asked);
  });
  if (!read) return read;
  if (is_named) return {};
  const std::string meant = FindMeantPrincipal(asked);
  return Fail(Code::kInvalidArgument,
              "\"" + asked + "\" is not a principal" +
                  (meant.empty() ? ": write one type and one name, such as user:ana@example.com"
                                 : ", did you mean \"" + meant + "\"?"));
}

/// The principals that policies and known groups name, as far as the text may mean them.
class MeantPrincipals {
 public:
  /// Null groups: those who are only in groups are not looked for.
  MeantPrincipals(const std::string& asked, access::GroupSource* groups)
      : asked_(asked), groups_(groups) {}

  void Take(const std::string& principal) {
    Add(principal);
    if (groups_ == nullptr || !seen_.insert(principal).second) return;
    const access::KnownMembers* known = groups_->FindMembers(principal);
    if (known == nullptr) return;
    for (const auto* names : {&known->members, &known->groups}) {
      for (const std::string& name : *names) Add(name);
    }
  }

  [[nodiscard]] const std::set<std::string>& all() const { return all_; }

 private:
  void Add(const std::string& principal) {
    if (MayBeMeant(asked_, principal)) all_.insert(principal);
  }

  const std::string& asked_;
  access::GroupSource* groups_;
  std::set<std::string> seen_;
  std::set<std::string> all_;
};

/// A name without a prefix may stand for several principals in policies and in groups.
Expected<AskedPrincipals> PrincipalsAsked(const AccessQuery& query, const ViewGrants& grants,
                                          access::GroupSource& groups) {
  if (query.principal.empty()) return FindPrincipals(query.principal, {});
  if (IsWholePrincipal(query.principal)) {
    if (!HasPrincipalForm(query.principal)) {
      if (auto named = CheckIsNamed(query.principal, grants); !named) return Fail(named.error());
    }
    return FindPrincipals(query.principal, {});
  }
  MeantPrincipals meant(query.principal, query.direct ? nullptr : &groups);
  const auto read = grants.Each([&](const Target& target, const Grant& grant) {
    if (!StandsForEverybody(target, grant)) meant.Take(grant.principal);
  });
  if (!read) return Fail(read.error());
  return FindPrincipals(query.principal, meant.all());
}

AccessCounts CountsOfAnswers(AccessFindings& findings) {
  return {findings.Answers(),
          findings.counts[Verdict::kGranted],
          findings.counts[Verdict::kNotGranted],
          findings.counts[Verdict::kDepends],
          findings.counts[Verdict::kUnknown],
          findings.targets};
}

std::set<Target> ListPolicies(std::span<const FoundAnswer> found) {
  std::set<Target> targets;
  for (const FoundAnswer& each : found) targets.insert(each.policy->target);
  return targets;
}

/// Gives the answers of the page, if somebody takes them. Of each part at least those that the page
/// may show are there.
Expected<void> GivePage(const store::ReportReader& store, const ListPage& page,
                        AccessFindings& findings, const TakeAnswerOfPage& take) {
  if (!take) return {};
  std::vector<FoundAnswer> found = std::move(findings.certain);
  std::ranges::move(findings.others, std::back_inserter(found));
  std::ignore = KeepPage(found, ListPage{page.offset - findings.before, page.limit});
  auto sources = GrantSources::OnRequest(store, ListPolicies(found));
  if (!sources) return Fail(sources.error());
  constexpr std::size_t kAtOnce = 128;
  for (std::size_t first = 0; first < found.size(); first += kAtOnce) {
    const auto some = std::span(found).subspan(first, std::min(kAtOnce, found.size() - first));
    if (auto turned = sources->TurnTo(store, ListPolicies(some)); !turned) {
      return Fail(turned.error());
    }
    for (FoundAnswer& each : some) {
      AddSource(*sources, each);
      take(std::exchange(each.answer, {}));  // No more of it is held.
    }
  }
  return {};
}

/// Gives answers away, those of some policies at a time, and keeps none.
class AnswerGiver {
 public:
  /// Both must outlive the object. An empty `take`: nothing is given.
  AnswerGiver(const store::ReportReader& store, const TakeAnswer& take)
      : store_(store), take_(take) {}

  Expected<void> GiveIfMany(AccessFindings& findings) {
    constexpr std::size_t kMostHeld = 4'096;
    return findings.Held() < kMostHeld ? Expected<void>() : Give(findings);
  }

  Expected<void> Give(AccessFindings& findings) {
    if (!take_ || (findings.certain.empty() && findings.others.empty())) return {};
    if (!sources_) {
      auto on_request = GrantSources::OnRequest(store_);
      if (!on_request) return Fail(on_request.error());
      sources_ = *std::move(on_request);
    }
    std::set<Target> targets;
    for (const auto* answers : {&findings.certain, &findings.others}) {
      for (const FoundAnswer& found : *answers) targets.insert(found.policy->target);
    }
    if (auto turned = sources_->TurnTo(store_, targets); !turned) return turned;
    for (auto* answers : {&findings.certain, &findings.others}) {
      for (FoundAnswer& found : *answers) {
        AddSource(*sources_, found);
        take_(found.answer, answers == &findings.certain);
      }
      answers->clear();
    }
    return {};
  }

 private:
  const store::ReportReader& store_;
  const TakeAnswer& take_;
  std::optional<GrantSources> sources_;
};

/// Goes through one policy. `answered`: the target of the last answer; null: none. The views of a
/// target follow each other.
Expected<void> LookAt(const PolicyView& view, const std::vector<Grant>& grants,
                      AccessQuestion& question, AccessFindings& findings, const Target*& answered) {
  const std::size_t before = findings.Answers();
  if (auto added = AddAnswers(question, view, grants, findings); !added) return added;
  if (findings.Answers() == before) return {};
  const Target& target = view.heir == nullptr ? view.policy->target : *view.heir;
  if (answered == nullptr || *answered != target) ++findings.targets;
  answered = &target;
  return {};
}

/// Goes through the policies.
Expected<void> Look(const ViewGrants& all, AccessQuestion& question, AccessFindings& findings,
                    AnswerGiver giver) {
  const Target* answered = nullptr;
  for (std::size_t first = 0; first < all.views().size();) {
    const auto some = all.From(first);
    if (!some) return Fail(some.error());
    for (const std::vector<Grant>& grants : *some) {
      const PolicyView& view = all.views()[first++];
      if (auto looked = LookAt(view, grants, question, findings, answered); !looked) return looked;
      if (auto given = giver.GiveIfMany(findings); !given) return given;
    }
    if (auto given = giver.Give(findings); !given) return given;
  }
  return {};
}

/// Why nothing was found of the principal.
Expected<std::string> TellNothingNames(const std::string& asked, const ViewGrants& grants) {
  bool is_named = false;
  std::set<std::string> alike;
  const auto read = grants.Each([&](const Target& /*target*/, const Grant& grant) {
    const std::string& principal = grant.principal;
    is_named = is_named || principal == asked;
    const bool near = NearestSpelling(asked, std::span(&principal, 1)).has_value();
    if (near || MayBeMeant(asked, principal)) alike.insert(principal);
  });
  if (!read) return Fail(read.error());
  const std::string others = OfAnotherSort(asked, alike);
  if (is_named || others == asked) {
    return asked + " is named in policies, but holds nothing of what was asked for";
  }
  return "nothing names " + asked +
         (others.empty() ? Nearest(asked, alike) : "; there is " + others);
}

/// Why there may be no answers, for people.
Expected<std::vector<std::string>> NotesOfAnswers(const AccessQuestion& question,
                                                  const AccessGround& ground,
                                                  const AccessFindings& findings,
                                                  const ViewGrants& grants) {
  const std::size_t observed = ground.known.all().size();
  const std::size_t looked_at = ground.views.size();
  const AccessQuery& query = question.query;
  std::vector<std::string> notes;
  if (!question.principals_note.empty() && looked_at > 0) {
    notes.push_back(question.principals_note);
  }
  const std::string when = query.at ? " by " + FormatRfc3339(*query.at) : " yet";
  if (observed == 0) {
    notes.push_back("no policy was observed" + when +
                    ": nothing is known about access (bindery run observes the targets)");
  } else if (looked_at == 0 && !ground.is_found) {
    notes.push_back(query.target + " was not observed" + when + ": nothing is known about it");
  } else if (findings.Answers() == 0 && !query.principal.empty()) {
    if (!question.principals_note.empty()) return notes;
    auto told = TellNothingNames(query.principal, grants);
    if (!told) return Fail(told.error());
    notes.push_back(*std::move(told));
  } else if (findings.Answers() == 0 && !query.permission.empty()) {
    notes.push_back("nobody holds a role with " + query.permission);
  } else if (findings.Answers() == 0 && !query.role.empty()) {
    notes.push_back("nobody holds " + query.role + Nearest(query.role, findings.roles) +
                    (findings.roles.empty() ? "" : "; held are: " + Join(findings.roles)));
  } else if (findings.Answers() == 0) {
    notes.push_back("nobody holds anything");
  }
  return notes;
}

/// A question, and who takes the answers: one of the two takers.
struct Asked {
  const AccessRecords& records;
  const AccessQuery& query;
  WallTime now;
  const ListPage& page;
  const AnswerTaker& taker;         ///< Of all answers.
  const TakeAnswerOfPage& of_page;  ///< Of the answers of the page.
};

/// The report without the answers.
Expected<AccessAnswers> Answer(const Asked& asked) {
  const auto& [records, query, now, page, taker, of_page] = asked;
  if (!query.permission.empty() && !query.role.empty()) {
    return Fail(Code::kInvalidArgument,
                "a permission takes the place of a role: ask for one of them");
  }
  if (!query.permission.empty() && records.roles == nullptr) {
    return Fail(Code::kFailedPrecondition,
                "it is not known which roles have " + query.permission +
                    ": name files with roles in roles.files of the provider");
  }
  const WallTime as_of = query.at.value_or(now);
  auto judge = ConditionJudge::Make(query.attributes, as_of);
  if (!judge) return Fail(judge.error());
  auto ground = FindGround(records, query, as_of);
  if (!ground) return Fail(ground.error());
  const ViewGrants grants(records.store, *ground);
  // Who is asked about directly is not asked about through a group.
  access::KnownGroups groups(records.groups, query.direct ? nullptr : records.group_asker);
  auto principals = PrincipalsAsked(query, grants, groups);
  if (!principals) return Fail(principals.error());

  AccessQuestion question = {query,
                             std::move(principals->all),
                             std::move(principals->note),
                             std::move(*judge),
                             {records.store, ground->known, groups},
                             query.permission.empty() ? nullptr : records.roles.get(),
                             ground->known.places(),
                             page};
  AccessFindings findings;
  AccessAnswers report;
  report.as_of = {as_of};
  report.request_time = question.judge.RequestTime();
  if (!query.principal.empty()) report.principals = question.principals;
  if (taker.begin) taker.begin(report);
  auto looked = Look(grants, question, findings, AnswerGiver(records.store, taker.take));
  if (!looked) return Fail(looked.error());
  report.notes = std::move(ground->notes);
  auto notes = NotesOfAnswers(question, *ground, findings, grants);
  if (!notes) return Fail(notes.error());
  std::ranges::move(*notes, std::back_inserter(report.notes));
  if (query.at && *query.at > now) {
    report.notes.push_back(FormatRfc3339(*query.at) +
                           " is in the future: the policies are those of now");
  }
  if (query.at && records.group_asker != nullptr) {
    report.notes.emplace_back("members of groups are those of now, not of the asked time");
  }
  if (question.permissions != nullptr && !question.permissions->IsKnown()) {
    report.notes.push_back("no role in roles.files has " + query.permission);
  }
  std::ranges::move(groups.Gaps(), std::back_inserter(ground->unknown));
  report.not_considered = NotConsidered(std::move(ground->unknown), SourceOfGroups(records));
  report.summary = CountsOfAnswers(findings);
  auto given = GivePage(records.store, page, findings, of_page);
  if (!given) return Fail(given.error());
  return report;
}

}  // namespace

Expected<AccessAnswers> AccessReport(const AccessRecords& records, const AccessQuery& query,
                                     WallTime now, const ListPage& page) {
  std::vector<AccessAnswer> answers;
  auto report = EachAccessAnswer(records, query, now, page, [&](AccessAnswer&& answer) {
    answers.push_back(std::move(answer));
  });
  if (report) report->answers = std::move(answers);
  return report;
}

Expected<AccessAnswers> EachAccessAnswer(const AccessRecords& records, const AccessQuery& query,
                                         WallTime now, const ListPage& page,
                                         const TakeAnswerOfPage& take) {
  return Answer({records, query, now, page, AnswerTaker(), take});
}

Expected<AccessAnswers> AccessReport(const AccessRecords& records, const AccessQuery& query,
                                     WallTime now, const AnswerTaker& taker) {
  return Answer({records, query, now, ListPage(), taker, TakeAnswerOfPage()});
}

}  // namespace bindery::report
