#include "reconcilers/project_identity.h"

#include "manifests/check_text.h"

namespace bindery {

std::string ProjectNumberOf(std::string_view name) {
  constexpr std::string_view kProjectCollection = "projects/";
  if (!name.starts_with(kProjectCollection)) return "";
  name.remove_prefix(kProjectCollection.size());
  const std::string_view project = name.substr(0, name.find('/'));
  return IsDecimal(project) ? std::string(project) : "";
}

}  // namespace bindery
