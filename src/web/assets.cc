#include "web/assets.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/text/digest.h"
#include "web/asset_texts.h"

namespace bindery::web {
namespace {

constexpr std::array<Asset, 3> kAssets = {{{"style.css", "text/css; charset=utf-8", kStyleText},
                                           {"live.js", "text/javascript; charset=utf-8", kLiveText},
                                           {"icon.svg", "image/svg+xml", kIconText}}};

std::map<std::string_view, std::string> AllPaths() {
  constexpr std::size_t kDigits = 12;
  std::map<std::string_view, std::string> paths;
  for (const Asset& asset : kAssets) {
    paths[asset.name] =
        "/assets/" + std::string(asset.name) + "?v=" + Sha256Hex(asset.content).substr(0, kDigits);
  }
  return paths;
}

}  // namespace

const Asset* FindAsset(std::string_view name) {
  const auto* const found = std::find_if(kAssets.begin(), kAssets.end(),
                                         [&](const Asset& asset) { return asset.name == name; });
  return found == kAssets.end() ? nullptr : found;
}

std::string AssetPath(std::string_view name) {
  static const std::map<std::string_view, std::string> kPaths = AllPaths();
  return kPaths.at(name);
}

}  // namespace bindery::web
