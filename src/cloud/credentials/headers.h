#pragma once

#include <string>
#include <string_view>

#include "cloud/transport.h"

namespace bindery::cloud {

/// The value of a header of a request, with the name spelt as added; empty when missing.
[[nodiscard]] inline std::string GetHeader(const cloud::HttpRequest& request,
                                           std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return {};
}

inline constexpr std::string_view kBearer = "Bearer ";

inline void AddBearer(cloud::HttpRequest& request, const std::string& token) {
  request.headers.emplace_back("Authorization", std::string(kBearer) + token);
}

/// The token AddBearer put on a request; empty if none exists.
[[nodiscard]] inline std::string GetBearer(const cloud::HttpRequest& request) {
  const std::string value = GetHeader(request, "Authorization");
  return value.rfind(kBearer, 0) == 0 ? value.substr(kBearer.size()) : std::string();
}

}  // namespace bindery::cloud
