#include "convert/shapes/keys.h"

#include <algorithm>

#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

std::string FindUnknownKey(const Node& map, std::string_view known, const std::string& path) {
  const auto keys = manifests::Split(known, ' ');
  for (const Node::Entry& entry : map.fields) {
    const bool there = std::ranges::find(keys, entry.key) != keys.end();
    if (there || entry.value.kind == NodeKind::kNull) continue;
    const std::vector<std::string> words(keys.begin(), keys.end());
    return "it is not known what " + manifests::Quote(manifests::JoinPath(path, entry.key)) +
           " holds" + manifests::DidYouMean(entry.key, words);
  }
  return "";
}

std::vector<WrongShape> FindOtherCase(const Node& map, std::string_view known,
                                      const std::string& path) {
  std::vector<WrongShape> found;
  const auto keys = manifests::Split(known, ' ');
  for (const Node::Entry& entry : map.fields) {
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    const std::string lower = AsciiLower(entry.key);
    for (const std::string_view key : keys) {
      if (AsciiLower(key) != lower) continue;
      found.push_back(
          {entry.key_at, manifests::JoinPath(path, entry.key),
           "it is not known what this holds, did you mean " + manifests::Quote(key) + "?"});
    }
  }
  return found;
}

}  // namespace bindery::convert
