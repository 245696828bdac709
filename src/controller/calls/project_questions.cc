#include "controller/calls/project_questions.h"

#include <algorithm>
#include <string_view>

#include "manifests/schema/check_text.h"
#include "reconcilers/project_identity.h"

namespace bindery::controller {
namespace {

std::string WhyGivenUp(const std::string& asked, const Error& error) {
  const std::string_view missing = reconcilers::IsAccountNumber(asked) ? "e-mail address"
                                   : manifests::IsDecimal(asked)       ? "id"
                                                                       : "number";
  return "the service does not tell its " + std::string(missing) + ": " + ToString(error);
}

std::string_view FindEffect(const std::string& asked) {
  if (reconcilers::IsAccountNumber(asked)) {
    return "; manifests that name it by its unique id are refused (needs iam.serviceAccounts.get)";
  }
  if (manifests::IsDecimal(asked)) {
    return "; manifests that name it by number are taken literally, unless others may name "
           "the same policy by the project's id (needs resourcemanager.projects.get)";
  }
  return "; service agents and default accounts of other projects are kept in its policies "
         "(needs resourcemanager.projects.get)";
}

}  // namespace

ProjectQuestions::Due ProjectQuestions::TakeDue(const Connections& connections,
                                                std::chrono::milliseconds timeout, const Now& now) {
  std::erase_if(ask_again_, [&](const auto& item) {
    if (item.second > now.mono) return false;
    names_.AskAgain(item.first);
    return true;
  });
  Due due;
  for (const ProjectNames::Question& question : names_.TakeQuestions()) {
    const auto connection = connections.find(question.provider);
    if (connection == connections.end()) {
      names_.GiveUp(question.number, "there is no provider \"" + question.provider + "\"");
      due.gave_up |= question.HoldsUpManifests();
      continue;
    }
    ++under_way_;
    due.ask.push_back({question, connection->second, timeout});
  }
  return due;
}

ProjectQuestions::Outcome ProjectQuestions::Answered(
    const ProjectNames::Question& question, const Expected<reconcilers::ProjectIdentity>& answer,
    const Now& now) {
  constexpr std::chrono::seconds kPatience(30);
  --under_way_;
  if (answer) return Outcome::kKnown;
  if (!IsTerminal(answer.error().code)) {
    ask_again_[question] = now.mono + kPatience;
    return Outcome::kLater;
  }
  names_.GiveUp(question.number, WhyGivenUp(question.number, answer.error()));
  return Outcome::kGivenUp;
}

Event ProjectQuestions::GivenUpEvent(const ProjectNames::Question& question, const Error& error,
                                     const Now& now) {
  const std::string& asked = question.number;
  const bool account = reconcilers::IsAccountNumber(asked);
  return {now.wall,
          EventType::kWarning,
          account ? "AccountUnknown" : "ProjectUnknown",
          "",
          account ? asked : "projects/" + asked,
          WhyGivenUp(asked, error) + std::string(FindEffect(asked)),
          "bindery"};
}

std::optional<MonoTime> ProjectQuestions::due() const {
  std::optional<MonoTime> soonest;
  for (const auto& [question, due] : ask_again_) soonest = std::min(soonest.value_or(due), due);
  return soonest;
}

}  // namespace bindery::controller
