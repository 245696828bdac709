#include "manifests/schema/checks.h"

#include <algorithm>
#include <utility>

#include "core/text/ascii.h"
#include "core/text/time_text.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/expression.h"
#include "manifests/schema/schemas.h"

namespace bindery::manifests {
namespace {

CheckFailure Bad(std::string code, std::string message) {
  return CheckFailure{std::move(code), std::move(message)};
}

/// From 1 s to `longest`.
std::optional<CheckFailure> CheckDuration(std::string_view text, std::chrono::hours longest,
                                          const std::string& longest_text) {
  const Expected<std::chrono::milliseconds> duration = ParseDuration(text);
  if (!duration) return Bad("BadDuration", duration.error().message);
  if (*duration < std::chrono::seconds(1)) {
    return Bad("BadDuration", Quote(text) + " is less than 1s");
  }
  if (*duration > longest) {
    return Bad("BadDuration", Quote(text) + " is more than " + longest_text);
  }
  return std::nullopt;
}

}  // namespace

std::optional<CheckFailure> CheckNotBlank(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) return std::nullopt;
  return Bad("EmptyValue", "must not be empty");
}

std::optional<CheckFailure> CheckManifestName(std::string_view text) {
  if (text.empty()) return Bad("BadName", "must not be empty");
  if (text.size() > kLongestManifestName) {
    return Bad("BadName", "name of " + std::to_string(text.size()) + " characters is longer than " +
                              std::to_string(kLongestManifestName));
  }
  const std::vector<std::string_view> parts = Split(text, '.');
  const bool framed = std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !part.empty() && IsAsciiLetterOrDigit(part.front()) && IsAsciiLetterOrDigit(part.back());
  });
  const bool spelled = HasOnlyCharacters(text, "-.") && AsciiLower(text) == text;
  if (framed && spelled) return std::nullopt;
  const bool dots = spelled && parts.size() > 1;
  return Bad("BadName",
             "name " + Quote(text) +
                 " must consist of lower-case letters, digits, '-' and '.', and begin and "
                 "end with a letter or digit" +
                 (dots ? ", and so must each part between dots" : ""));
}

std::optional<CheckFailure> CheckProviderName(std::string_view text) {
  if (HasOnlyCharacters(text, "-_.")) return std::nullopt;
  return Bad("BadName", Quote(text) + " is not the name of a provider");
}

std::optional<CheckFailure> CheckInterval(std::string_view text) {
  constexpr std::chrono::hours kLongest(24 * 365);
  return CheckDuration(text, kLongest, "365d");
}

std::optional<CheckFailure> CheckTimeout(std::string_view text) {
  constexpr std::chrono::hours kLongest(24);
  return CheckDuration(text, kLongest, "24h");
}

std::optional<CheckFailure> CheckFieldPath(std::string_view text) {
  const tl::expected<FieldPath, TextFault> path = ParseFieldPath(text);
  if (path) return std::nullopt;
  return Bad("BadPath", Quote(text) + " is not the path of a field such as " +
                            "\"bindings[0].principals\": " + path.error().message);
}

}  // namespace bindery::manifests
