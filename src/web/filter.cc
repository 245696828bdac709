#include "web/filter.h"

namespace bindery::web {

FilterForm& FilterForm::Search(std::string_view placeholder) {
  fields_.Add(El("label", {{"class", "search"}}, "Text",
                 Void("input", {{"type", "search"},
                                {"name", "q"},
                                {"value", context_.Asked("q")},
                                {"placeholder", std::string(placeholder)},
                                {"autocomplete", "off"}})));
  return *this;
}

FilterForm& FilterForm::Text(Literal name, std::string_view label, std::string_view placeholder) {
  fields_.Add(El("label", {}, label,
                 Void("input", {{"name", std::string(name.view())},
                                {"value", context_.Asked(name.view())},
                                {"placeholder", std::string(placeholder)},
                                {"autocomplete", "off"}})));
  return *this;
}

FilterForm& FilterForm::Select(Literal name, std::string_view label,
                               const std::vector<Choice>& choices) {
  const std::string chosen = context_.Asked(name.view());
  Html options = El("option", {{"value", ""}}, "any");
  for (const auto& [value, words] : choices) {
    options.Add(El("option", {{"value", value}, {"selected", "", value == chosen}}, words));
  }
  fields_.Add(El("label", {}, label, El("select", {{"name", std::string(name.view())}}, options)));
  return *this;
}

FilterForm& FilterForm::Flag(Literal name, std::string_view label) {
  fields_.Add(El("label", {{"class", "flag"}},
                 Void("input", {{"type", "checkbox"},
                                {"name", std::string(name.view())},
                                {"value", "true"},
                                {"checked", "", context_.Asked(name.view()) == "true"}}),
                 label));
  return *this;
}

Html FilterForm::Finished() const {
  Html form = fields_;
  for (const char* kept : {"sort", "limit"}) {
    const std::string value = context_.Asked(kept);
    if (value.empty()) continue;
    form.Add(Void("input", {{"type", "hidden"}, {"name", kept}, {"value", value}}));
  }
  form.Add(El("button", {{"type", "submit"}}, "Filter"));
  form.Add(El("a", {{"href", context_.path}, {"class", "reset"}}, "Clear"));
  return El("form", {{"class", "filter"}, {"role", "search"}, {"data-filter", ""}}, form);
}

Column Sorted(const PageContext& context, const char* title, const ListOrder& order) {
  Column column{title};
  std::string now = context.Asked("sort");
  if (now.empty()) now = order.fallback;
  const bool forward = now == order.name;
  if (forward) column.sort = "ascending";
  if (now == "-" + order.name) column.sort = "descending";
  const Query query =
      Replaced(context.query, {{"sort", forward ? "-" + order.name : order.name}, {"offset", ""}});
  const char* sign = forward ? " ↑" : column.sort.empty() ? "" : " ↓";
  column.head = El(
      "a", {{"href", WithQuery(context.path, query)}, {"title", order.words, !order.words.empty()}},
      title, El("span", {{"aria-hidden", "true"}}, sign));
  return column;
}

}  // namespace bindery::web
