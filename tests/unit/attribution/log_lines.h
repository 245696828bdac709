#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/text/time_text.h"

namespace bindery::testing {

/// A recorded line, from 1, as JSON.
inline Json LogLine(const std::string& file, int number) {
  std::ifstream in(std::string(BINDERY_LOGS "/") + file);
  std::string line;
  for (int i = 0; i < number; ++i) std::getline(in, line);
  auto json = ParseJson(line);
  if (!in || !json) throw std::runtime_error("no line " + std::to_string(number) + " in " + file);
  return *json;
}

inline WallTime At(const char* time) {
  return ParseRfc3339(std::string("2026-11-21T") + time + "Z").value();
}

}  // namespace bindery::testing
