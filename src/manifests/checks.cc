#include "manifests/checks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/time_text.h"
#include "manifests/check_text.h"
#include "manifests/expression.h"

namespace bindery {
namespace {

CheckFailure Bad(std::string code, std::string message) {
  return CheckFailure{std::move(code), std::move(message)};
}

struct Collection {
  std::string_view name;
  std::string_view kind;
};
constexpr std::array<Collection, 2> kCollections = {
    {{"authorizationPolicies", "AuthorizationPolicyIamBinding"},
     {"managementServers", "ManagementServerIamBinding"}}};

/// A segment goes into a URL as it is: nothing that could end it or climb out of it.
bool IsNameSegment(std::string_view segment, bool is_project) {
  if (segment == "." || segment == "..") return false;
  return ConsistsOf(segment, is_project ? "-_.~:" : "-_.~");
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
  constexpr std::size_t kLongest = 253;
  if (text.empty()) return Bad("BadName", "must not be empty");
  if (text.size() > kLongest) {
    return Bad("BadName",
               "name of " + std::to_string(text.size()) + " characters is longer than 253");
  }
  const std::vector<std::string_view> parts = Split(text, '.');
  const bool framed = std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !part.empty() && IsAsciiLetterOrDigit(part.front()) && IsAsciiLetterOrDigit(part.back());
  });
  const bool spelled = ConsistsOf(text, "-.") && AsciiLower(text) == text;
  if (framed && spelled) return std::nullopt;
  const bool dots = spelled && parts.size() > 1;
  return Bad("BadName",
             "name " + Quote(text) +
                 " must consist of lower-case letters, digits, '-' and '.', and begin and "
                 "end with a letter or digit" +
                 (dots ? ", and so must each part between dots" : ""));
}

std::optional<CheckFailure> CheckProviderName(std::string_view text) {
  if (ConsistsOf(text, "-_.")) return std::nullopt;
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

std::optional<CheckFailure> CheckNamePart(std::string_view text, bool is_project) {
  if (IsNameSegment(text, is_project)) return std::nullopt;
  return Bad("BadResourceName", Quote(text) +
                                    " is not one part of a resource name: write the id alone, of "
                                    "letters, digits, '-', '_', '.' and '~'");
}

bool IsBasicRole(std::string_view role) {
  return role == "roles/owner" || role == "roles/editor" || role == "roles/viewer";
}

std::optional<CheckFailure> CheckRole(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, '/');
  const std::string_view id = parts.back();
  const bool predefined = parts.size() == 2 && parts[0] == "roles";
  const bool custom = parts.size() == 4 &&
                      (parts[0] == "projects" || parts[0] == "organizations") &&
                      IsNameSegment(parts[1], true) && parts[2] == "roles";
  if ((predefined || custom) && ConsistsOf(id, "_.")) return std::nullopt;
  std::string message = Quote(text) +
                        " is not a role: write roles/NAME, projects/PROJECT/roles/NAME or "
                        "organizations/NUMBER/roles/NAME";
  if (parts.size() == 1 && ConsistsOf(text, "_.")) {
    message =
        Quote(text) + " is not a role, did you mean " + Quote("roles/" + std::string(text)) + "?";
  }
  return Bad("BadRole", message);
}

std::optional<CheckFailure> CheckIamResourceName(std::string_view text,
                                                 std::string_view collection) {
  const std::string wanted = "projects/PROJECT/locations/LOCATION/" + std::string(collection) +
                             "/ID, or the part from locations/ on";
  std::vector<std::string_view> parts = Split(text, '/');
  const bool has_project = parts.size() == 6 && parts[0] == "projects";
  bool good = true;
  if (has_project) {
    good = IsNameSegment(parts[1], true);
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  good = good && parts.size() == 4 && parts[0] == "locations" && IsNameSegment(parts[1], false) &&
         IsNameSegment(parts[3], false);
  if (good && parts[2] == collection) return std::nullopt;
  if (good) {
    for (const Collection& other : kCollections) {
      if (parts[2] != other.name) continue;
      return Bad("BadResourceName", Quote(text) + " is for the kind " + std::string(other.kind) +
                                        ": this kind takes " + wanted);
    }
  }
  if (text.find("//") != std::string_view::npos) {
    return Bad("BadResourceName", Quote(text) + " must not name a host: write " + wanted);
  }
  return Bad("BadResourceName", Quote(text) + " is not a resource name: write " + wanted);
}

}  // namespace bindery
