#include "app/plan/kind_pattern.h"

#include <algorithm>
#include <string>

#include "core/text/ascii.h"
#include "core/text/glob.h"

namespace bindery::app {
namespace {

bool MatchesToken(const std::string& pattern, const TypeToken& token) {
  const std::string text = AsciiLower(token.Text());
  if (pattern.find_first_of("*?") == std::string::npos) {
    return text.find(pattern) != std::string::npos;
  }
  const std::string_view whole = text;
  return MatchesGlob(pattern, whole) || MatchesGlob(pattern, whole.substr(whole.find(':') + 1)) ||
         MatchesGlob(pattern, whole.substr(whole.rfind(':') + 1));
}

}  // namespace

bool FitsKindPattern(const manifests::KindSchema& kind, std::string_view pattern) {
  const std::string wanted = AsciiLower(pattern);
  return wanted.empty() || MatchesToken(wanted, kind.token) ||
         std::ranges::any_of(kind.other_tokens, [&wanted](const TypeToken& token) {
           return MatchesToken(wanted, token);
         });
}

}  // namespace bindery::app
