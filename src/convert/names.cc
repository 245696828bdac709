#include "convert/names.h"

#include <algorithm>
#include <vector>

#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"

namespace bindery::convert {
namespace {

/// "NAME.yaml" is a file: 255 characters are the most in file systems.
constexpr std::size_t kLongest = 250;

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// Lower case, with `separator` where a new word begins.
std::string Words(std::string_view name, char separator) {
  std::string words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool word = IsUpper(c) && i > 0 && manifests::IsAsciiLetterOrDigit(name[i - 1]) &&
                      (!IsUpper(name[i - 1]) || (i + 1 < name.size() && !IsUpper(name[i + 1]) &&
                                                 manifests::IsAsciiLetterOrDigit(name[i + 1])));
    if (word) words += separator;
    words +=
        manifests::IsAsciiLetterOrDigit(c) ? AsciiLower(std::string_view(&c, 1))[0] : separator;
  }
  return words;
}

/// "iam" and "deep" of "module.iam.module.deep[\"x.y\"]": text in brackets is a word too.
std::vector<std::string> WordsOfModule(std::string_view module) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (std::size_t i = 0; i <= module.size(); ++i) {
    const char c = i < module.size() ? module[i] : '.';
    if (quoted && c == '\\' && i + 1 < module.size()) {
      word += module[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '.' || c == '[' || c == ']')) {
      if (!word.empty() && word != "module") words.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  return words;
}

}  // namespace

std::string GetManifestName(std::string_view name) {
  std::string made = Words(name.substr(0, kLongest), '-').substr(0, kLongest);
  const std::size_t first = made.find_first_not_of('-');
  if (first == std::string::npos) return "resource";
  return made.substr(first, made.find_last_not_of('-') + 1 - first);
}

std::string MakeModuleName(std::string_view module, const std::string& name,
                           const std::string& key) {
  std::string made;
  for (const std::string& word : WordsOfModule(module)) made += word + "-";
  return made + name + (key.empty() ? "" : "-" + key);
}

std::string SnakeCase(std::string_view name) { return Words(name, '_'); }

std::string NameMaker::Make(std::string_view wish) {
  std::string base = GetManifestName(wish);
  if (taken_.insert(base).second) return base;
  std::size_t& number = next_.try_emplace(base, 2).first->second;
  for (;; ++number) {
    const std::string suffix = "-" + std::to_string(number);
    std::string made = base.substr(0, std::min(base.size(), kLongest - suffix.size())) + suffix;
    if (taken_.insert(made).second) return made;
  }
}

}  // namespace bindery::convert
