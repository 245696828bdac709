#include <algorithm>
#include <string>
#include <vector>

#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"

namespace bindery::datadog {

std::optional<manifests::CheckFailure> CheckDatasetName(std::string_view text) {
  if (!CheckRoleName(text)) return std::nullopt;
  return manifests::CheckFailure{
      "BadDatasetName", manifests::Quote(text) +
                            " is not the name of a dataset: write the whole name on one line, "
                            "without blanks at its ends"};
}

std::optional<manifests::CheckFailure> CheckDatasetPrincipal(std::string_view text) {
  if (auto failure = CheckPrincipal(text); failure && !failure->warning) return failure;
  if (text.starts_with("role:") || text.starts_with("team:")) return CheckPrincipal(text);
  return manifests::CheckFailure{"BadPrincipal",
                                 manifests::Quote(text) +
                                     " is neither a role nor a team: a dataset takes only role:ID "
                                     "and team:ID"};
}

std::optional<manifests::CheckFailure> CheckDatasetProduct(std::string_view text) {
  static const std::vector<std::string> kProducts = {
      "apm",        "rum",         "metrics",    "logs",  "error_tracking",
      "cloud_cost", "sd_repoinfo", "secruntime", "signal"};
  if (std::find(kProducts.begin(), kProducts.end(), text) != kProducts.end()) return std::nullopt;
  if (!manifests::HasOnlyCharacters(text, "-_")) {
    return manifests::CheckFailure{"BadProduct",
                                   manifests::Quote(text) + " is not a product such as \"logs\""};
  }
  std::string hint = manifests::DidYouMean(text, kProducts);
  if (hint.empty()) hint = ": the service may refuse it";
  return manifests::CheckFailure{"UnknownProduct",
                                 "unknown product " + manifests::Quote(text) + hint, true};
}

std::optional<manifests::CheckFailure> CheckDatasetFilter(std::string_view text) {
  const auto colon = text.find(':');
  const bool good = colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
                    !manifests::HasBlank(text.substr(0, colon)) && !CheckRoleName(text);
  if (good) return std::nullopt;
  return manifests::CheckFailure{"BadFilter",
                                 manifests::Quote(text) +
                                     " is not of the form tag:value or @attribute:value, for "
                                     "example \"@team:payments\""};
}

}  // namespace bindery::datadog
