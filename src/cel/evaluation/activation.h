#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "cel/evaluation/outcome.h"

namespace bindery::cel {

/// What the names of an expression mean: attributes by their dotted path ("request.time"), each
/// given, unknown or absent, and functions of the context ("resource.hasTagKey"). Of the paths that
/// an expression begins with the longest counts.
class Activation {
 public:
  using Function = std::function<Outcome(std::span<const Value>)>;

  void Set(const std::string& path, Value value) { entries_[path] = std::move(value); }
  /// The attribute, everything beneath it and the result of a function of the name are
  /// unknown.
  void SetUnknown(const std::string& path) { entries_[path] = State::kUnknown; }
  /// The resource does not provide the attribute: has() says false, any other use fails, so that
  /// this part of a condition does not grant.
  void SetAbsent(const std::string& path) { entries_[path] = State::kAbsent; }
  void SetFunction(const std::string& name, Function function) {
    entries_[name] = std::move(function);
  }

  enum class State { kUnknown, kAbsent };
  using Entry = std::variant<State, Value, Function>;

  /// The entry of exactly that path; nothing if none exists.
  [[nodiscard]] const Entry* Find(const std::string& path) const;
  /// True when there are entries beneath the path.
  [[nodiscard]] bool HasBeneath(const std::string& path) const;

 private:
  std::map<std::string, Entry> entries_;
};

/// One in which everything a condition of IAM may ask for is unknown, to be filled with the
/// knowledge: the attributes of resource, request, destination and principal, `api.getAttribute`
/// and the functions of tags and of Compute Engine.
[[nodiscard]] Activation IamActivation();

}  // namespace bindery::cel
