#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace bindery::testing {

inline config::ConfigResult Parse(std::string_view text,
                                  const config::Environment& environment = {}) {
  return config::ParseConfig(text, "bindery.yaml", "/etc/bindery", environment);
}

/// What is wrong with a text, line by line; empty when nothing is.
inline std::vector<std::string> Problems(const config::ConfigResult& result) {
  std::vector<std::string> texts;
  if (result) return texts;
  for (const config::ConfigProblem& problem : result.error()) texts.push_back(problem.Text());
  return texts;
}

}  // namespace bindery::testing
