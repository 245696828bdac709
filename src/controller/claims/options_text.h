#pragma once

#include <string>

#include "manifests/schema/manifest.h"

namespace bindery::controller {

/// Options in the form of the store: canonical JSON of the differences from the defaults.
[[nodiscard]] std::string OptionsText(const manifests::Options& options);
[[nodiscard]] manifests::Options OptionsFromText(const std::string& text);

}  // namespace bindery::controller
