#pragma once

#include <string>
#include <utility>
#include <vector>

#include "web/html.h"
#include "web/page.h"
#include "web/table.h"

namespace bindery::web {

/// A value of a filter, and the words for it.
using Choice = std::pair<std::string, std::string>;

/// The form above a list. The fields are parameters of the page's address and show the requested
/// values. Keeps the order of the list.
class FilterForm {
 public:
  /// `context` must outlive the object.
  explicit FilterForm(const PageContext& context) : context_(context) {}

  FilterForm& Search(std::string_view placeholder);
  FilterForm& Text(Literal name, std::string_view label, std::string_view placeholder);
  FilterForm& Select(Literal name, std::string_view label, const std::vector<Choice>& choices);
  /// A value or nothing.
  FilterForm& Flag(Literal name, std::string_view label);

  [[nodiscard]] Html Finished() const;

 private:
  const PageContext& context_;
  Html fields_;
};

/// The words of the values as choices.
template <typename Values>
[[nodiscard]] std::vector<Choice> MakeChoices(const Values& values) {
  std::vector<Choice> choices;
  for (const auto value : values) {
    const std::string word(ToString(value));
    choices.emplace_back(word, word);
  }
  return choices;
}

/// The order of a list, by the address of the page.
struct ListOrder {
  std::string name;      ///< Of the column: "target".
  std::string fallback;  ///< The order of the list if the address names no order.
  /// What the list is sorted by, where the title of the column does not tell: "by resource".
  std::string words = {};
};

/// The title of a column: a link that sorts the list upwards, and the next time downwards.
[[nodiscard]] Column Sorted(const PageContext& context, const char* title, const ListOrder& order);

}  // namespace bindery::web
