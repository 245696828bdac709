#pragma once

#include <cstddef>
#include <string>

#include "app/edits/manifest_text.h"
#include "core/base/json.h"
#include "yaml/node.h"

namespace bindery::app {

// New values in braces, brackets and quotes, in the form that their file has. Pure.

/// In quotes where `quoted`, or where the text needs quotes.
[[nodiscard]] std::string ScalarText(const std::string& text, bool quoted);

/// The line break of a file.
[[nodiscard]] std::string LineBreakIn(const std::string& text);

/// The value in braces and brackets. Keys are words.
[[nodiscard]] std::string FlowText(const ManifestText& file, const Json& value);

/// The same with a key before.
[[nodiscard]] std::string FlowField(const ManifestText& file, const std::string& key,
                                    const Json& value);

/// What stands between the last part of a list or map in brackets, which begins at `begin`, and a
/// new part: in JSON a new line, if the last part has a line of its own.
[[nodiscard]] std::string FlowSeparator(const ManifestText& file, std::size_t begin);

/// The separator and the entry behind the last entry of a list in brackets, in the form of the last
/// entry: on one line, or in JSON with a line for each field.
[[nodiscard]] std::string FlowEntry(const ManifestText& file, const yaml::Node& last,
                                    const Json& entry);

}  // namespace bindery::app
