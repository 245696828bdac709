#include "providers/datadog/checks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "manifests/schema/check_text.h"

namespace bindery::datadog {
namespace {

using Relations = std::vector<std::string>;

manifests::CheckFailure Bad(std::string code, std::string message) {
  return manifests::CheckFailure{std::move(code), std::move(message)};
}
manifests::CheckFailure Warning(std::string code, std::string message) {
  return manifests::CheckFailure{std::move(code), std::move(message), true};
}

const RestrictableType* FindType(std::string_view type) {
  const std::vector<RestrictableType>& types = RestrictableTypes();
  const auto found = std::find_if(types.begin(), types.end(), [&](const RestrictableType& known) {
    return known.type == type;
  });
  return found == types.end() ? nullptr : &*found;
}

/// "abc-def-ghi"
bool IsThreeByThree(std::string_view id) {
  const std::vector<std::string_view> groups = manifests::Split(id, '-');
  return groups.size() == 3 && std::all_of(groups.begin(), groups.end(), [](std::string_view g) {
           return g.size() == 3 && manifests::HasOnlyCharacters(g, "");
         });
}

bool IsHash(std::string_view id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The service accepts a policy for any id and says nothing when no resource has it: an id of the
/// wrong shape is worth a word.
std::optional<manifests::CheckFailure> CheckShape(std::string_view type, std::string_view id) {
  const auto unlike = [&](std::string_view shape) {
    return Warning("UnlikelyResourceId",
                   manifests::Quote(id) + " does not look like the id of a " + std::string(type) +
                       " (" + std::string(shape) +
                       "): a policy for an id that does not exist is accepted and does nothing");
  };
  if (type == "dashboard" && !IsThreeByThree(id)) return unlike("such as abc-def-ghi");
  if (type == "slo" && !IsHash(id)) return unlike("32 hexadecimal digits");
  if ((type == "monitor" || type == "notebook") && !manifests::IsDecimal(id))
    return unlike("a number");
  return std::nullopt;
}

}  // namespace

const std::vector<RestrictableType>& RestrictableTypes() {
  static const Relations kViewEdit = {"viewer", "editor"};
  static const std::vector<RestrictableType> kTypes = {
      {"dashboard", kViewEdit},
      {"notebook", kViewEdit},
      {"security-rule", kViewEdit},
      {"slo", kViewEdit},
      {"powerpack", kViewEdit},
      {"monitor", kViewEdit},
      {"synthetics-test", kViewEdit},
      {"synthetics-global-variable", kViewEdit},
      {"synthetics-private-location", kViewEdit},
      {"reference-table", kViewEdit},
      {"workflow", {"viewer", "runner", "editor"}},
      {"app-builder-app", kViewEdit},
      {"connection", {"viewer", "resolver", "editor"}},
      {"connection-group", kViewEdit},
      {"integration-webhook", kViewEdit},
      {"integration-service", kViewEdit},
      {"rum-application", kViewEdit},
      {"cross-org-connection", kViewEdit},
      {"spreadsheet", kViewEdit},
      {"network-path-config", kViewEdit},
      {"on-call-schedule", {"viewer", "overrider", "editor"}},
      {"on-call-escalation-policy", kViewEdit},
      {"on-call-team-routing-rules", kViewEdit},
      {"logs-pipeline", {"viewer", "processors_editor", "editor"}},
      {"case-management-project", {"viewer", "contributor", "manager"}},
      {"monitor-notification-rule", kViewEdit},
      {"status-page", {"viewer", "responder", "manager"}},
      {"feature-flag", {"viewer", "contributor", "editor"}},
  };
  return kTypes;
}

std::optional<manifests::CheckFailure> CheckResourceId(std::string_view text) {
  constexpr std::size_t kLongest = 512;
  const auto colon = text.find(':');
  const std::string_view type = text.substr(0, colon);
  const std::string_view id =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (type.empty() || id.empty() || manifests::HasBlank(text) || text.size() > kLongest ||
      !manifests::HasOnlyCharacters(type, "-_")) {
    return Bad("BadResourceId", manifests::Quote(text) +
                                    " is not of the form TYPE:ID, for example "
                                    "\"dashboard:abc-def-ghi\"");
  }
  constexpr std::string_view kLocation = "pl:";
  if (type == "synthetics-private-location" &&
      (id.substr(0, kLocation.size()) != kLocation || id.size() == kLocation.size())) {
    return Bad("BadResourceId",
               "the id of a private location begins with \"pl:\", did you mean " +
                   manifests::Quote(std::string(type) + ":pl:" + std::string(id)) +
                   "? Without it the service accepts the policy and restricts nothing");
  }
  if (FindType(type) != nullptr) return CheckShape(type, id);
  std::vector<std::string> names;
  for (const RestrictableType& known : RestrictableTypes()) names.emplace_back(known.type);
  std::string hint = manifests::DidYouMean(type, names);
  if (hint.empty()) hint = ": the service may refuse it";
  return Warning("UnknownResourceType", "unknown resource type " + manifests::Quote(type) + hint);
}

std::optional<manifests::CheckFailure> CheckRelation(std::string_view text) {
  if (manifests::HasOnlyCharacters(text, "-_")) return std::nullopt;
  return Bad("BadRelation",
             manifests::Quote(text) + " is not a relation such as \"viewer\" or \"editor\"");
}

std::optional<manifests::CheckFailure> CheckRelationName(std::string_view resource_id,
                                                         std::string_view relation) {
  const std::string_view type = resource_id.substr(0, resource_id.find(':'));
  const RestrictableType* known = FindType(type);
  if (known == nullptr) return std::nullopt;
  const Relations& relations = known->relations;
  if (std::find(relations.begin(), relations.end(), relation) != relations.end()) {
    return std::nullopt;
  }
  std::string hint = manifests::DidYouMean(relation, relations);
  if (hint.empty()) hint = "; known are " + manifests::QuotedList(relations, "and");
  return Warning("UnknownRelation", "unknown relation " + manifests::Quote(relation) + " of a " +
                                        std::string(type) + hint);
}

std::optional<manifests::CheckFailure> CheckRoleName(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  const bool bare = text.empty() || text.front() == ' ' || text.back() == ' ';
  if (!bare && std::none_of(text.begin(), text.end(), control)) return std::nullopt;
  return Bad("BadRoleName", manifests::Quote(text) +
                                " is not the name of a role: write the whole name on one line, "
                                "without blanks at its ends");
}

std::optional<manifests::CheckFailure> CheckTeamHandle(std::string_view text) {
  constexpr std::string_view kMention = "@team-";
  if (text.starts_with(kMention)) {
    return Bad("BadTeamHandle", manifests::Quote(text) + " is a mention: write the handle alone, " +
                                    manifests::Quote(text.substr(kMention.size())));
  }
  if (!text.empty() && !manifests::HasBlank(text)) return std::nullopt;
  return Bad("BadTeamHandle",
             manifests::Quote(text) + " is not the handle of a team, such as \"sre\"");
}

std::optional<manifests::CheckFailure> CheckUserEmail(std::string_view text) {
  if (manifests::IsEmail(text)) return std::nullopt;
  return Bad("BadEmail",
             manifests::Quote(text) + " is not an e-mail address, such as \"ana@example.com\"");
}

std::optional<manifests::CheckFailure> CheckPrincipal(std::string_view text) {
  const Relations types = {"role", "team", "user", "org"};
  const auto colon = text.find(':');
  const std::string_view type = text.substr(0, colon);
  if (colon == std::string_view::npos || colon + 1 == text.size() || manifests::HasBlank(text)) {
    return Bad("BadPrincipal", manifests::Quote(text) +
                                   " is not of the form TYPE:ID with the type role, team, user or "
                                   "org");
  }
  if (std::find(types.begin(), types.end(), type) == types.end()) {
    std::string hint = manifests::DidYouMean(type, types);
    if (hint.empty()) hint = "; known are " + manifests::QuotedList(types, "and");
    return Bad("BadPrincipal", manifests::Quote(text) + " has the unknown principal type " +
                                   manifests::Quote(type) + hint);
  }
  if (text.find('@') != std::string_view::npos) {
    return Warning("UnlikelyPrincipal",
                   manifests::Quote(text) +
                       " names an e-mail address: principals are named by their UUID, which "
                       "the lookup getUser finds");
  }
  return std::nullopt;
}

}  // namespace bindery::datadog
