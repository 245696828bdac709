#include "manifests/schema/text_place.h"

#include <string_view>

#include "manifests/schema/validate.h"

namespace bindery::manifests {
namespace {

/// The node at "condition.expression"; null when the path is not of the form or leads nowhere.
const yaml::Node* FindNode(const yaml::Node& root, std::string_view path) {
  const yaml::Node* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    node = node->Find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return node;
}

}  // namespace

yaml::Position FindPlace(const yaml::Node& root, const std::string& path,
                         const CheckFailure& failure) {
  const yaml::Position start = FindPosition(root, path);
  const yaml::Node* node = FindNode(root, path);
  // A text with "${" was checked in its resolved form.
  const bool as_written = node != nullptr && node->verbatim && failure.line == 1 &&
                          node->text.find("${") == std::string::npos;
  if (!as_written) return start;
  return {start.line, start.column + (node->quoted ? 1 : 0) + failure.column - 1};
}

}  // namespace bindery::manifests
