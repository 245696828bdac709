#include "core/text/random_text.h"

#include <openssl/rand.h>

#include <array>
#include <stdexcept>

#include "core/text/base64.h"

namespace bindery {

std::string RandomText() {
  std::array<unsigned char, 32> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw std::runtime_error("no random numbers");
  }
  return EncodeBase64Url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace bindery
