#include "reconcilers/principals.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace bindery {
namespace {

constexpr std::string_view kDeleted = "deleted:";

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool FoldsCase(std::string_view type) {
  constexpr std::array<std::string_view, 4> kTypes = {"user", "serviceAccount", "group", "domain"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

std::string NormalPlain(std::string_view member) {
  const auto colon = member.find(':');
  if (colon == std::string_view::npos || !FoldsCase(member.substr(0, colon))) {
    return std::string(member);
  }
  // A real value such as "group:example.svc.id.goog:/allAuthenticatedUsers/" is case-sensitive.
  if (member.find("allAuthenticatedUsers") != std::string_view::npos ||
      member.find("allUsers") != std::string_view::npos) {
    return std::string(member);
  }
  return std::string(member.substr(0, colon + 1)) + Lower(member.substr(colon + 1));
}

}  // namespace

std::string NormalMember(const std::string& member) {
  if (!member.starts_with(kDeleted)) return NormalPlain(member);
  const auto uid = std::min(member.find("?uid="), member.size());
  const std::string_view plain =
      std::string_view(member).substr(kDeleted.size(), uid - kDeleted.size());
  return std::string(kDeleted) + NormalPlain(plain) + member.substr(uid);
}

std::string DeletedMember(const std::string& member) {
  if (!member.starts_with(kDeleted)) return "";
  const auto uid = std::min(member.find("?uid="), member.size());
  return NormalPlain(std::string_view(member).substr(kDeleted.size(), uid - kDeleted.size()));
}

std::string NormalPrincipal(const std::string& principal) { return Lower(principal); }

}  // namespace bindery
