#pragma once

#include <string>
#include <vector>

#include "app/shell/commands.h"
#include "config/config.h"
#include "core/base/expected.h"

namespace bindery::app {

/// The arguments of an import of many policies. Exactly one of the first three is given.
struct PolicyImportArguments {
  std::string scope;                  ///< That a finished scan read.
  std::string assets;                 ///< A file with the result of a search.
  std::vector<std::string> policies;  ///< As FactsOfExports().
  std::string kinds;
  std::string shape = "binding";
  std::string layout;  ///< Empty: ImportLayout::kDefault.
  std::string provider;
  std::string directory;  ///< For the manifests; empty: that of the configuration.
  bool to_stdout = false;
  bool protect = false;

  [[nodiscard]] bool IsGiven() const {
    return !scope.empty() || !assets.empty() || !policies.empty();
  }
};

/// The configuration of an import, with `arguments.directory` for the manifests, which is made
/// unless they go to standard output.
[[nodiscard]] Expected<config::Config> ReadImportConfig(const CommandContext& context,
                                                        const PolicyImportArguments& arguments);

/// The last sentence of an import after which nothing changes. `taken_up`: what a daemon does with
/// the manifests: "takes them up".
[[nodiscard]] std::string AdviseToPlan(const PolicyImportArguments& arguments,
                                       const std::string& taken_up);

/// Writes manifests of everything that manifests can declare. Returns the exit code: 1 when
/// something was left out.
int ImportPoliciesCommand(const CommandContext& context, const PolicyImportArguments& arguments);

}  // namespace bindery::app
