#include "core/text/random_id.h"

#include <fmt/format.h>

#include <random>

namespace bindery {

std::string RandomId() {
  std::random_device system;
  std::string id;
  for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", system());
  return id;
}

}  // namespace bindery
