#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery {

/// Required labels of resources, in the syntax of kubectl's -l: "team=a", "team!=a", "team in
/// (a,b)", "team notin (a,b)", "team" (present), "!team" (absent), several separated by commas. All
/// must hold. A value with a comma, a blank or a parenthesis is put in double quotes.
class LabelSelector {
 public:
  /// kInvalidArgument with the error of the text.
  [[nodiscard]] static Expected<LabelSelector> Parse(std::string_view text);

  /// Adds the requirements of `other`.
  void Add(LabelSelector other);

  [[nodiscard]] bool empty() const { return requirements_.empty(); }

  /// `labels`: an object; a member that is no string counts as absent.
  [[nodiscard]] bool Matches(const Json& labels) const;

 private:
  friend class LabelSelectorParser;

  struct Requirement {
    std::string key;
    std::set<std::string> values;  ///< Empty: whatever the value.
    bool wanted = true;            ///< False: it has none of them, or not the label at all.
  };

  std::vector<Requirement> requirements_;
};

/// "name=value" as a selector: the value in quotes if necessary.
[[nodiscard]] std::string LabelSelectorText(std::string_view name, std::string_view value);

}  // namespace bindery
