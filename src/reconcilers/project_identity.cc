#include "reconcilers/project_identity.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "manifests/schema/check_text.h"

namespace bindery::reconcilers {
namespace {

/// "A" of "projects/P/serviceAccounts/A"; empty of any other name.
std::string_view LookUpAccount(std::string_view name) {
  constexpr std::string_view kProjects = "projects/";
  constexpr std::string_view kAccounts = "/serviceAccounts/";
  if (!name.starts_with(kProjects)) return {};
  name.remove_prefix(std::min(name.find('/', kProjects.size()), name.size()));
  if (!name.starts_with(kAccounts)) return {};
  name.remove_prefix(kAccounts.size());
  return name.find('/') == std::string_view::npos ? name : std::string_view();
}

/// "P" and "/topics/t" of "projects/P/topics/t"; the second is the whole of a name without a
/// project.
std::pair<std::string_view, std::string_view> SplitProject(std::string_view name) {
  constexpr std::string_view kProjects = "projects/";
  if (!name.starts_with(kProjects)) return {{}, name};
  const std::size_t end = std::min(name.find('/', kProjects.size()), name.size());
  return {name.substr(kProjects.size(), end - kProjects.size()), name.substr(end)};
}

/// Equal, or one of the two is a number.
bool MayBeEqual(std::string_view one, std::string_view other) {
  return one == other || manifests::IsDecimal(one) != manifests::IsDecimal(other);
}

}  // namespace

std::string GetProjectNumber(std::string_view name) {
  constexpr std::string_view kProjectCollection = "projects/";
  if (!name.starts_with(kProjectCollection)) return "";
  name.remove_prefix(kProjectCollection.size());
  const std::string_view project = name.substr(0, name.find('/'));
  return manifests::IsDecimal(project) ? std::string(project) : "";
}

bool IsAccountNumber(std::string_view name) { return manifests::IsDecimal(LookUpAccount(name)); }

bool IsAccountAddress(std::string_view name) {
  return LookUpAccount(name).find('@') != std::string_view::npos;
}

bool HasNumber(std::string_view name) {
  return !GetProjectNumber(name).empty() || IsAccountNumber(name);
}

bool MayBeOnePolicy(std::string_view name, std::string_view other) {
  const auto [project, rest] = SplitProject(name);
  const auto [other_project, other_rest] = SplitProject(other);
  if (name == other || !MayBeEqual(project, other_project)) return false;
  const std::string_view account = LookUpAccount(name);
  const std::string_view other_account = LookUpAccount(other);
  if (account.empty() || other_account.empty()) return rest == other_rest;
  return MayBeEqual(account, other_account);
}

}  // namespace bindery::reconcilers
