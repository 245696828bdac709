#pragma once

#include <string>

#include "manifests/manifest.h"

namespace bindery {

/// Options as the store keeps them: canonical JSON of what differs from the defaults.
[[nodiscard]] std::string OptionsText(const Options& options);
[[nodiscard]] Options OptionsFromText(const std::string& text);

}  // namespace bindery
