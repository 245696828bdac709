#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convert/convert.h"
#include "core/base/expected.h"
#include "yaml/node.h"

namespace bindery::convert {

enum class Format {
  kPulumiProgram,
  kPulumiExport,
  kTerraformConfiguration,
  kTerraformState,
  kGcloudPolicies,
  kConfigConnector
};

/// What the documents are, by their contents and what is wished. kInvalidArgument, with the reason:
/// nothing that can be converted.
[[nodiscard]] Expected<Format> ReadFormat(const std::vector<yaml::Node>& documents,
                                          const std::string& file, const ConvertWish& wish);

[[nodiscard]] ProgramForm GetTool(Format format);

/// How a text that cannot be read is converted nevertheless: "; Terraform's own language …"; empty:
/// nothing is known of it.
[[nodiscard]] std::string HintFor(std::string_view text, const std::string& file);

}  // namespace bindery::convert
