#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "yaml/node.h"

namespace bindery::manifests {

// What was most likely meant by a value of the wrong sort, as an addition to a message:
// "; a space is missing after the colon: write "name: a"". Empty where nothing suggests itself.

/// Where a map is expected.
[[nodiscard]] std::string HintForMap(const yaml::Node& found);
/// Where a list is expected.
[[nodiscard]] std::string HintForList(const yaml::Node& found);
/// Where a text is expected.
[[nodiscard]] std::string HintForText(const yaml::Node& found);
/// A refused text: an unfilled template, typographic quotes, two items in one.
[[nodiscard]] std::string HintForRefused(const yaml::Node& found);

/// The text is the syntax of an unfilled template: "{{ name }}".
[[nodiscard]] bool IsTemplateText(std::string_view text);

/// An apiVersion of Kubernetes or of a controller in it: "v1", "apps/v1", "x.example.com/v1beta1".
[[nodiscard]] bool IsKubernetesVersion(std::string_view api_version);

/// What a value that reads as nothing has behind its key in the source: a comment or an anchor,
/// where a text was meant. `line` is the line of the key.
[[nodiscard]] std::string HintForNothing(std::string_view line);

}  // namespace bindery::manifests
