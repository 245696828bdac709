#include "app/plan/import_layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "app/plan/imported_text.h"

namespace bindery::app {
namespace {

struct LayoutWord {
  std::string_view name;
  std::string TargetWords::*value;
};
constexpr std::array<LayoutWord, 3> kWords = {{{"project", &TargetWords::project},
                                               {"kind", &TargetWords::kind},
                                               {"resource", &TargetWords::resource}}};

/// Of a file's name, with its ending.
constexpr std::size_t kLongestWord = 200;

/// "authorization-policy" of "AuthorizationPolicy".
std::string Hyphenated(std::string_view camel) {
  std::string text;
  for (std::size_t i = 0; i < camel.size(); ++i) {
    const bool upper = std::isupper(static_cast<unsigned char>(camel[i])) != 0;
    const bool after_lower = i > 0 && std::isupper(static_cast<unsigned char>(camel[i - 1])) == 0;
    if (upper && after_lower) text += '-';
    text += camel[i];
  }
  return Slug(text);
}

std::vector<std::string> Parts(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// "acme" of "projects/acme", "folder-20" of "folders/20".
std::string ContainerWord(const std::string& place) {
  const std::vector<std::string> parts = Parts(place);
  if (place.empty() || parts.size() < 2) return place.empty() ? "other" : Slug(place);
  // "projects/_" is any project.
  if (Slug(parts.back()).empty()) return "other";
  if (parts.front() == "projects") return Slug(parts.back());
  std::string collection = parts.front();
  if (collection.ends_with('s')) collection.pop_back();
  return Slug(collection) + "-" + Slug(parts.back());
}

/// Names follow the words for their collections: "locations/europe-west1/keyRings/r".
std::string ResourceWord(const std::string& target) {
  const std::vector<std::string> parts = Parts(target);
  const bool contained =
      parts.size() > 2 && (parts.front() == "projects" || parts.front() == "folders" ||
                           parts.front() == "organizations");
  std::string word;
  for (std::size_t i = contained ? 3 : 1; i < parts.size(); i += 2) {
    if (parts[i] == "global" && i + 1 < parts.size()) continue;
    word += (word.empty() ? "" : "-") + Slug(parts[i]);
  }
  if (word.empty()) word = Slug(parts.back());
  if (word.size() > kLongestWord) word.resize(kLongestWord);
  return word.empty() ? "resource" : word;
}

}  // namespace

TargetWords MakeWords(const std::string& target_kind, const std::string& target,
                      const std::string& place) {
  TargetWords words;
  const std::size_t colon = target_kind.find(':');
  words.type = Hyphenated(target_kind.substr(colon == std::string::npos ? 0 : colon + 1));
  // Some targets are known by the kind of their bindings.
  constexpr std::string_view kBinding = "-iam-binding";
  if (words.type.ends_with(kBinding)) words.type.resize(words.type.size() - kBinding.size());
  words.kind = colon == std::string::npos ? words.type
                                          : Slug(target_kind.substr(0, colon)) + "-" + words.type;
  words.project = ContainerWord(place);
  words.resource = ResourceWord(target);
  words.is_container = target == place;
  return words;
}

std::string NamePrefix(const TargetWords& words) {
  if (!words.is_container) return words.project + "-" + words.type + "-" + words.resource;
  const bool tells_type = words.project.starts_with(words.type + "-");
  return tells_type ? words.project : words.project + "-" + words.type;
}

Expected<ImportLayout> ImportLayout::Parse(const std::string& text) {
  ImportLayout layout;
  for (const std::string& part : Parts(text)) {
    const auto* const word = std::ranges::find(kWords, std::string_view(part), &LayoutWord::name);
    const bool fits = word != kWords.end() &&
                      std::ranges::find(layout.words_, word->value) == layout.words_.end();
    if (!fits) {
      return Fail(Code::kInvalidArgument,
                  "\"" + text +
                      "\" is no layout: write project, kind and resource, each at most once, "
                      "separated by /");
    }
    layout.words_.push_back(word->value);
  }
  return layout;
}

std::string ImportLayout::GetFile(const TargetWords& words) const {
  std::string path;
  for (const auto word : words_) path += (path.empty() ? "" : "/") + words.*word;
  return path + ".yaml";
}

}  // namespace bindery::app
