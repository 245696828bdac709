#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "manifests/schema/expression.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

/// A text is refused at a place within it, or its pieces can be read again as what they are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto pieces = bindery::ParseTemplate(text);
  if (!pieces) {
    Require(pieces.error().offset <= size && !pieces.error().message.empty());
    return 0;
  }
  for (const bindery::TemplatePiece& piece : *pieces) {
    Require(!piece.text.empty());
    if (!piece.path) continue;
    Require(text.compare(piece.offset, piece.text.size(), piece.text) == 0);
    const auto again = bindery::ParseTemplate(piece.text);
    Require(again && bindery::IsLoneExpression(*again) && *again->front().path == *piece.path);
    const auto named = bindery::SplitName(
        *piece.path, [](const std::string& name) { return name.size() % 2 == 0; });
    Require(!named.name.empty() && named.below.size() < piece.path->size());
  }
  return 0;
}
