#pragma once

#include <string>
#include <vector>

#include "yaml/reader.h"

namespace bindery::yaml {

/// "line:column: message" of every fault.
inline std::vector<std::string> FaultsOf(const ReadResult& result) {
  std::vector<std::string> texts;
  for (const Fault& fault : result.faults) {
    texts.push_back(std::to_string(fault.at.line) + ":" + std::to_string(fault.at.column) + ": " +
                    fault.message);
  }
  return texts;
}

/// A text that cannot be read, and the fault that is told first.
struct Refused {
  const char* name;
  std::string text;
  std::string fault;
};

}  // namespace bindery::yaml
