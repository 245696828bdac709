#include <algorithm>
#include <string>
#include <vector>

#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"

namespace bindery {

std::optional<CheckFailure> CheckDatasetName(std::string_view text) {
  if (!CheckRoleName(text)) return std::nullopt;
  return CheckFailure{"BadDatasetName",
                      Quote(text) +
                          " is not the name of a dataset: write the whole name on one line, "
                          "without blanks at its ends"};
}

std::optional<CheckFailure> CheckDatasetPrincipal(std::string_view text) {
  if (auto failure = CheckPrincipal(text); failure && !failure->warning) return failure;
  if (text.starts_with("role:") || text.starts_with("team:")) return CheckPrincipal(text);
  return CheckFailure{"BadPrincipal",
                      Quote(text) +
                          " is neither a role nor a team: a dataset takes only role:ID "
                          "and team:ID"};
}

std::optional<CheckFailure> CheckDatasetProduct(std::string_view text) {
  static const std::vector<std::string> kProducts = {
      "apm",        "rum",         "metrics",    "logs",  "error_tracking",
      "cloud_cost", "sd_repoinfo", "secruntime", "signal"};
  if (std::find(kProducts.begin(), kProducts.end(), text) != kProducts.end()) return std::nullopt;
  if (!HasOnlyCharacters(text, "-_")) {
    return CheckFailure{"BadProduct", Quote(text) + " is not a product such as \"logs\""};
  }
  std::string hint = DidYouMean(text, kProducts);
  if (hint.empty()) hint = ": the service may refuse it";
  return CheckFailure{"UnknownProduct", "unknown product " + Quote(text) + hint, true};
}

std::optional<CheckFailure> CheckDatasetFilter(std::string_view text) {
  const auto colon = text.find(':');
  const bool good = colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
                    !HasBlank(text.substr(0, colon)) && !CheckRoleName(text);
  if (good) return std::nullopt;
  return CheckFailure{"BadFilter", Quote(text) +
                                       " is not of the form tag:value or @attribute:value, for "
                                       "example \"@team:payments\""};
}

}  // namespace bindery
