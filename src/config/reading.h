#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/config_keys.h"
#include "core/base/expected.h"
#include "providers/declared_kinds.h"
#include "yaml/node.h"

namespace bindery::config {

/// A configuration during the reading: the findings so far, and the errors.
struct Reading {
  std::string file;
  Config config;
  std::map<std::string, yaml::Position> given;    ///< The keys that the file holds, and where.
  std::map<std::string, std::string> overridden;  ///< The keys that variables set, and by which.
  std::vector<ConfigProblem> problems;

  /// Of a key that a variable overrides, the variable is to blame and not the file.
  void Add(yaml::Position at, std::string path, std::string message);
  [[nodiscard]] bool Given(const std::string& path) const { return given.contains(path); }
  /// True when something was already said of the key: what follows from it would only be noise.
  [[nodiscard]] bool Faulty(const std::string& path) const;
  /// Where a key is, or the section around it, or nowhere.
  [[nodiscard]] yaml::Position Where(const std::string& path) const;
};

/// "a string", "an integer", …
[[nodiscard]] std::string WithArticle(yaml::NodeKind kind);

/// Replaces `${env:NAME}` by the variable and `$${` by `${`. kInvalidArgument when a variable is
/// not set or something else is between the braces.
[[nodiscard]] Expected<std::string> ExpandEnvironment(std::string_view text,
                                                      const Environment& environment);

/// Checks one value and puts it into its slot. kInvalidArgument with the expected form; the message
/// never holds the content of a variable.
[[nodiscard]] Expected<void> ReadValue(const yaml::Node& node, const Slot& slot,
                                       const Bounds& bounds, const Environment& environment);

/// The variables that `${env:NAME}` names in a value, separated by ", ".
[[nodiscard]] std::string VariablesIn(const yaml::Node& node);

/// The type in the map of a provider, or a variable in its place; empty: no known type.
[[nodiscard]] std::string ProviderTypeIn(const yaml::Node& map, const std::string& name,
                                         const Environment& environment);

/// Overrides the file's values by BINDERY_… variables. An unknown variable with the prefix is a
/// problem.
void ReadOverrides(Reading& reading, const Environment& environment);

/// The embedded clouds, where the file names no provider.
void AddDefaultProviders(Reading& reading);

/// Checks of a webhook as a whole.
void CheckNotifications(Reading& reading);

/// Completes defaults that depend on further keys, resolves relative paths, and checks rules
/// between keys.
void CompleteAndCheck(Reading& reading, const std::filesystem::path& base_dir);

/// The rows of a file of kinds.
void ReadKindRows(Reading& reading, const yaml::Node& root, providers::KindRows& rows);

/// All findings about a configuration from its text and the environment. `before_providers` is
/// called after all settings except the providers: the providers may name the kinds that it puts in
/// force.
[[nodiscard]] Reading ReadConfig(std::string_view text, const std::string& file_name,
                                 const std::filesystem::path& base_dir,
                                 const Environment& environment,
                                 const std::function<void(Reading&)>& before_providers = {});

/// The configuration, or its errors in the order of the file, followed by the errors
/// `elsewhere`.
[[nodiscard]] ConfigResult MakeResult(Reading reading, std::vector<ConfigProblem> elsewhere = {});

}  // namespace bindery::config
