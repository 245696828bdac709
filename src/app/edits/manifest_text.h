#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::app {

/// Keys of maps and indices of lists: "spec", "bindings", 2, "members".
using ManifestPath = std::vector<std::variant<std::string, std::size_t>>;

/// A part of a text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The text of a file, with one of its manifests. Offsets are bytes of the text.
class ManifestText {
 public:
  /// kNotFound: the file has no such manifest. kFailedPrecondition: the file has faults, or two
  /// documents of the name.
  static Expected<ManifestText> Find(const std::string& text, const std::string& manifest);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The file is JSON, and is to stay so.
  [[nodiscard]] bool IsJson() const { return is_json_; }
  [[nodiscard]] Json MakeJson() const;
  [[nodiscard]] std::size_t CountDocuments() const { return read_.documents.size(); }
  /// Null: the manifest has no such part.
  [[nodiscard]] const yaml::Node* FindNode(const ManifestPath& path) const;

  [[nodiscard]] std::size_t FindOffset(yaml::Position at) const;
  /// A scalar, with its quotes; nothing: the scalar has another form in the file.
  [[nodiscard]] std::optional<TextSpan> FindSpan(const yaml::Node& scalar) const;
  /// A map or a list stands in braces or brackets.
  [[nodiscard]] bool IsFlow(const yaml::Node& node) const;
  /// Behind a scalar, or behind the last brace or bracket of a map or list; nothing: not told.
  [[nodiscard]] std::optional<std::size_t> FindFlowEnd(const yaml::Node& node) const;
  /// The item of a list has lines of its own, behind a hyphen.
  [[nodiscard]] bool IsBlockItem(const yaml::Node& item) const;

  [[nodiscard]] std::size_t FindLineStart(std::size_t offset) const;
  /// Behind the line break.
  [[nodiscard]] std::size_t FindNextLine(std::size_t offset) const;
  /// Behind the lines of a block that begins in the line of `offset`: before the first further line
  /// that is not indented deeper than `indent`, and before the comments in front of that line.
  /// `hyphens_belong`: a hyphen at the indent continues the block.
  [[nodiscard]] std::size_t FindBlockEnd(std::size_t offset, std::size_t indent,
                                         bool hyphens_belong) const;
  /// The lines between the marks of documents that hold the manifest; nothing: not told.
  [[nodiscard]] std::optional<TextSpan> FindDocument() const;

  /// The text, if its documents are those of the file, with `wanted` in place of the manifest, or
  /// without the manifest if `wanted` is null. kFailedPrecondition: not so.
  [[nodiscard]] Expected<std::string> Checked(std::string changed, const Json& wanted) const;

 private:
  explicit ManifestText(const std::string& text) : text_(text) {}

  std::string text_;
  bool is_json_ = false;
  yaml::ReadResult read_;
  std::size_t document_ = 0;
};

/// The part of a JSON value. Requires: the value has the part.
[[nodiscard]] Json& GetPart(Json& value, const ManifestPath& path);

}  // namespace bindery::app
