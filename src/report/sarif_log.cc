// SARIF 2.1.0 (OASIS).

#include "report/sarif_log.h"

#include <cctype>
#include <string_view>
#include <utility>

namespace bindery::report {

std::string UriOf(const std::string& file) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~/";
  std::string uri;
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte < 0x80 && std::isalnum(byte) != 0;
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 15U];
    }
  }
  return uri;
}

Json SarifLog(Json rules, Json results, const std::string& version) {
  Json driver = {{"name", "bindery"}};
  if (!version.empty()) driver["version"] = version;
  driver["rules"] = std::move(rules);
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace bindery::report
