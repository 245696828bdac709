#pragma once

#include <map>
#include <set>
#include <string>

namespace bindery::controller {

/// Who needs whom, by name: `options.dependsOn` and references together. What a name stands for, if
/// anything, is not known here. Not thread-safe.
class Dependencies {
 public:
  /// Replaces the needs of `name`; empty: no needs.
  void Set(const std::string& name, std::set<std::string> needs);
  void Erase(const std::string& name) { Set(name, {}); }

  [[nodiscard]] bool empty() const { return needs_.empty(); }
  /// The resources that `name` needs.
  [[nodiscard]] const std::set<std::string>& Needs(const std::string& name) const;
  /// The resources that need `name`.
  [[nodiscard]] const std::set<std::string>& Dependents(const std::string& name) const;

 private:
  using Edges = std::map<std::string, std::set<std::string>>;
  [[nodiscard]] static const std::set<std::string>& Of(const Edges& edges, const std::string& name);

  Edges needs_;
  Edges dependents_;
};

}  // namespace bindery::controller
