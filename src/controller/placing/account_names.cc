#include "controller/placing/account_names.h"

#include <algorithm>
#include <utility>

#include "reconcilers/project_identity.h"

namespace bindery::controller {
namespace {

/// "projects/p" of "projects/p/serviceAccounts/…".
std::string_view ProjectPart(std::string_view name) {
  return name.substr(0, name.find('/', name.find('/') + 1));
}

/// Both names may belong to one project: "-" stands for any project, and a number may be the number
/// of the named project.
bool MayShareProject(std::string_view by_number, std::string_view by_address) {
  const std::string_view project = ProjectPart(by_number);
  return project == "projects/-" || project == ProjectPart(by_address) ||
         reconcilers::GetProjectNumber(by_number).empty() !=
             reconcilers::GetProjectNumber(by_address).empty();
}

}  // namespace

bool AccountNames::NoteName(const std::string& name) {
  if (IsAnswered(name)) return false;
  waiting_.insert(name);
  return true;
}

std::optional<Expected<std::string>> AccountNames::Canonical(const std::string& name) const {
  if (reconcilers::IsAccountNumber(name)) {
    if (const auto known = addresses_.find(name); known != addresses_.end()) return known->second;
    if (const auto why = given_up_.find(name); why != given_up_.end()) {
      return Fail(Code::kInvalidArgument, "which service account \"" + name +
                                              "\" is cannot be told (" + why->second +
                                              "): name it by its e-mail address");
    }
    return Fail(Code::kUnavailable,
                "waits until the service has told the e-mail address of \"" + name + "\"");
  }
  if (!IsInDoubt(name)) return std::nullopt;
  return Fail(Code::kUnavailable,
              "another manifest names what may be the same service account by its unique id: "
              "waits until the service has told the e-mail address of that account");
}

bool AccountNames::IsInDoubt(std::string_view name) const {
  if (waiting_.empty() || !reconcilers::IsAccountAddress(name)) return false;
  return std::any_of(waiting_.begin(), waiting_.end(), [name](const std::string& by_number) {
    return MayShareProject(by_number, name);
  });
}

bool AccountNames::IsAnswered(const std::string& by_number) const {
  return addresses_.contains(by_number) || given_up_.contains(by_number);
}

bool AccountNames::Learn(const std::string& by_number, const std::string& by_address) {
  given_up_.erase(by_number);
  waiting_.erase(by_number);
  return addresses_.insert_or_assign(by_number, by_address).second;
}

void AccountNames::GiveUp(const std::string& by_number, const std::string& why) {
  waiting_.erase(by_number);
  given_up_.insert_or_assign(by_number, why);
}

std::set<std::string> AccountNames::TakeFailures() {
  std::set<std::string> names;
  for (const auto& [name, why] : std::exchange(given_up_, {})) names.insert(name);
  return names;
}

}  // namespace bindery::controller
