#include "controller/placing/project_names.h"

#include <algorithm>
#include <utility>

#include "manifests/schema/check_text.h"
#include "reconcilers/project_identity.h"

namespace bindery::controller {
namespace {

constexpr std::string_view kProjects = "projects/";

bool IsOfProject(std::string_view name) { return name.starts_with(kProjects); }

/// "/locations/…" of "projects/P/locations/…"; empty of a project itself. Requires: IsOfProject.
std::string_view GetRest(std::string_view name) {
  return name.substr(std::min(name.find('/', kProjects.size()), name.size()));
}

/// "P" of "projects/P/…"; empty of any other name.
std::string_view GetProject(std::string_view name) {
  if (!IsOfProject(name)) return {};
  name.remove_prefix(kProjects.size());
  return name.substr(0, name.find('/'));
}

/// For messages.
std::string ProjectInWords(std::string_view rest) {
  return rest.empty() ? "the project" : "\"" + std::string(rest.substr(1)) + "\"";
}

}  // namespace

bool ProjectNames::Question::HoldsUpManifests() const {
  return manifests::IsDecimal(number) || reconcilers::IsAccountNumber(number);
}

void ProjectNames::CopyFrom(const ProjectNames& other) {
  ids_ = other.ids_;
  numbers_ = other.numbers_;
  given_up_ = other.given_up_;
  asks_anew_ = other.asks_anew_;
  accounts_ = other.accounts_;
  refused_ = other.refused_;
  asked_ = other.asked_;
  wanted_ = other.wanted_;
  named_ = other.named_;
  std::set<Question> late;
  {
    const MutexLock lock(other.mutex_);
    late = other.late_;
  }
  const MutexLock lock(mutex_);
  late_ = std::move(late);
}

void ProjectNames::BeginScan() {
  named_ = {};
  accounts_.BeginScan();
}

void ProjectNames::Want(const std::string& provider, const std::string& number) {
  if (!asked_.contains(number)) wanted_.insert({provider, number});
}

void ProjectNames::NoteName(const std::string& provider, const std::string& name) {
  if (reconcilers::IsAccountNumber(name)) {
    if (accounts_.NoteName(name)) Want(provider, name);
    return;
  }
  const std::string number = reconcilers::GetProjectNumber(name);
  if (!IsOfProject(name)) return;
  // At a start this is asked of each policy in force, nearly all of which are named by id.
  if (number.empty() && given_up_.empty()) return;
  const std::string rest(GetRest(name));
  if (number.empty()) {
    named_.by_id.insert(rest);
  } else if (given_up_.contains(number)) {
    named_.unclear.insert(rest);
  } else if (!ids_.contains(number)) {
    named_.waiting.insert(rest);
    Want(provider, number);
  }
}

Expected<std::string> ProjectNames::Canonical(const std::string& provider,
                                              const std::string& name) const {
  if (!IsOfProject(name)) return name;
  if (auto account = accounts_.Canonical(name)) {
    if (reconcilers::IsAccountNumber(name) && !accounts_.IsAnswered(name)) {
      const MutexLock lock(mutex_);
      late_.insert({provider, name});
    }
    return std::move(*account);
  }
  const std::string number = reconcilers::GetProjectNumber(name);
  const std::string_view rest = GetRest(name);
  const auto id = number.empty() ? ids_.end() : ids_.find(number);
  if (id != ids_.end()) return std::string(kProjects) + id->second + std::string(rest);
  const auto given_up = number.empty() ? given_up_.end() : given_up_.find(number);
  const bool unclear = named_.unclear.contains(rest) && named_.by_id.contains(rest);
  if (unclear && (number.empty() || given_up != given_up_.end())) {
    const std::string& why = number.empty() ? given_up_.begin()->second : given_up->second;
    return Fail(Code::kInvalidArgument,
                ProjectInWords(rest) +
                    " is declared under a project number and under a project id, and whether that "
                    "is one policy cannot be told (" +
                    why +
                    "): name the project as it was named in force, and otherwise by its id, or let "
                    "bindery read it");
  }
  if (given_up != given_up_.end()) return name;
  if (!number.empty()) {
    if (!named_.waiting.contains(rest)) {
      const MutexLock lock(mutex_);
      late_.insert({provider, number});
    }
    return Fail(Code::kUnavailable, "waits until the service has told the id of project " + number);
  }
  if (!named_.waiting.contains(rest)) return name;
  return Fail(Code::kUnavailable,
              "another manifest names what may be the same policy under a project number: waits "
              "until the service has told the id of that project");
}

bool ProjectNames::IsInDoubt(const std::string& name) const {
  if (accounts_.IsInDoubt(name)) return true;
  if (!IsOfProject(name) || (named_.waiting.empty() && named_.unclear.empty())) return false;
  const std::string_view rest = GetRest(name);
  return named_.waiting.contains(rest) || named_.unclear.contains(rest);
}

std::string ProjectNames::GetNumber(const std::string& name) const {
  if (!IsOfProject(name)) return "";
  if (std::string number = reconcilers::GetProjectNumber(name); !number.empty()) return number;
  if (numbers_.empty()) return "";
  const auto number = numbers_.find(GetProject(name));
  return number == numbers_.end() ? "" : number->second;
}

void ProjectNames::WantNumber(const std::string& provider, const std::string& name) {
  const std::string project(GetProject(name));
  // "_" and "-" stand for any project.
  if (project.empty() || project == "_" || project == "-" || !GetNumber(name).empty()) return;
  Want(provider, project);
}

bool ProjectNames::RefusesNumber(const std::string& name) const {
  return refused_.contains(GetProject(name));
}

bool ProjectNames::waits() const {
  {
    const MutexLock lock(mutex_);
    if (!late_.empty()) return true;
  }
  // No manifest waits for the number of an id.
  const auto keeps_waiting = [this](const std::string& number) {
    if (reconcilers::IsAccountNumber(number)) return !accounts_.IsAnswered(number);
    return manifests::IsDecimal(number) && !ids_.contains(number) && !given_up_.contains(number);
  };
  return std::any_of(asked_.begin(), asked_.end(), keeps_waiting) ||
         std::any_of(wanted_.begin(), wanted_.end(),
                     [&](const Question& question) { return keeps_waiting(question.number); });
}

bool ProjectNames::Learn(const std::string& number, const std::string& id) {
  if (reconcilers::IsAccountNumber(number)) return accounts_.Learn(number, id);
  given_up_.erase(number);
  refused_.erase(id);
  numbers_.insert_or_assign(id, number);
  return ids_.insert_or_assign(number, id).second;
}

void ProjectNames::GiveUp(const std::string& number, const std::string& why) {
  if (reconcilers::IsAccountNumber(number)) {
    accounts_.GiveUp(number, why);
    return;
  }
  if (!manifests::IsDecimal(number)) {
    refused_.insert(number);
    return;
  }
  given_up_.insert_or_assign(number, why);
}

std::vector<ProjectNames::Question> ProjectNames::TakeQuestions() {
  std::set<Question> late;
  {
    const MutexLock lock(mutex_);
    late.swap(late_);
  }
  for (const Question& question : late) Want(question.provider, question.number);
  std::vector<Question> questions;
  for (const Question& question : std::exchange(wanted_, {})) {
    if (asked_.insert(question.number).second) questions.push_back(question);
  }
  return questions;
}

void ProjectNames::AskAgain(const Question& question) {
  asked_.erase(question.number);
  wanted_.insert(question);
}

void ProjectNames::ForgetFailures() {
  for (const auto& [number, why] : given_up_) asked_.erase(number);
  given_up_.clear();
  asks_anew_ = true;
  for (const std::string& name : accounts_.TakeFailures()) asked_.erase(name);
  for (const std::string& id : refused_) asked_.erase(id);
  refused_.clear();
}

}  // namespace bindery::controller
