#include "reconcilers/project_identity.h"

#include <algorithm>

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

}  // namespace bindery::reconcilers
