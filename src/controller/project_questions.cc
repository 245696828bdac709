#include "controller/project_questions.h"

#include <algorithm>

namespace bindery {
namespace {

std::string WhyGivenUp(const Error& error) {
  return "the service does not tell its id: " + ToString(error);
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
      due.gave_up = true;
      continue;
    }
    ++under_way_;
    due.ask.push_back({question, connection->second, timeout});
  }
  return due;
}

ProjectQuestions::Outcome ProjectQuestions::Answered(const ProjectNames::Question& question,
                                                     const Expected<ProjectIdentity>& answer,
                                                     const Now& now) {
  constexpr std::chrono::seconds kPatience(30);
  --under_way_;
  if (answer) return Outcome::kKnown;
  if (!IsTerminal(answer.error().code)) {
    ask_again_[question] = now.mono + kPatience;
    return Outcome::kLater;
  }
  names_.GiveUp(question.number, WhyGivenUp(answer.error()));
  return Outcome::kGivenUp;
}

Event ProjectQuestions::GivenUpEvent(const std::string& number, const Error& error,
                                     const Now& now) {
  return {now.wall,
          EventType::kWarning,
          "ProjectUnknown",
          "",
          "projects/" + number,
          WhyGivenUp(error) +
              "; manifests that name it by number are taken literally, unless others may name "
              "the same policy by the project's id (needs resourcemanager.projects.get)",
          "bindery"};
}

std::optional<MonoTime> ProjectQuestions::due() const {
  std::optional<MonoTime> soonest;
  for (const auto& [question, due] : ask_again_) soonest = std::min(soonest.value_or(due), due);
  return soonest;
}

}  // namespace bindery
