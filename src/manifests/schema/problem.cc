#include "manifests/schema/problem.h"

namespace bindery::manifests {

std::string Problem::Text() const {
  std::string text = file;
  if (line > 0) {
    text += ":" + std::to_string(line);
    if (column > 0) text += ":" + std::to_string(column);
  }
  if (!text.empty()) text += ": ";
  if (!path.empty()) text += path + ": ";
  return text + message;
}

std::string Problem::Lines() const { return excerpt.empty() ? Text() : Text() + "\n" + excerpt; }

}  // namespace bindery::manifests
