#pragma once

#include <string>
#include <string_view>

namespace bindery::web {

/// A file the pages load, built into the program.
struct Asset {
  std::string_view name;  ///< "style.css"
  std::string_view type;  ///< Its Content-Type.
  std::string_view content;
};

/// Nullptr if none exists of the name.
[[nodiscard]] const Asset* FindAsset(std::string_view name);

/// The path for pages. A changed content has a changed path, so it may be cached forever. `name` is
/// an asset's name.
[[nodiscard]] std::string AssetPath(std::string_view name);

}  // namespace bindery::web
