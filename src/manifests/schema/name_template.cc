#include "manifests/schema/name_template.h"

#include <cstddef>

namespace bindery::manifests {

std::vector<std::string> VariablesIn(std::string_view name_template) {
  std::vector<std::string> variables;
  for (std::size_t open = name_template.find('{'); open != std::string_view::npos;
       open = name_template.find('{', open + 1)) {
    const std::string_view rest = name_template.substr(open + 1);
    variables.emplace_back(rest.substr(0, rest.find_first_of("=}")));
  }
  return variables;
}

tl::expected<std::string, std::string> FilledTemplate(std::string_view name_template,
                                                      const ValueOfVariable& value_of) {
  constexpr std::string_view kProject = "projects/{project}/";
  const std::vector<std::string> variables = VariablesIn(name_template);
  std::string name(name_template);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool last = i + 1 == variables.size();
    const std::string* value = value_of(variables[i], last);
    if (value == nullptr && i == 0 && !last && name_template.starts_with(kProject)) {
      name.erase(0, kProject.size());
      continue;
    }
    if (value == nullptr) return tl::unexpected(variables[i]);
    const std::size_t open = name.find("{" + variables[i]);
    name.replace(open, name.find('}', open) + 1 - open, *value);
  }
  return name;
}

}  // namespace bindery::manifests
