#include "identity/random_text.h"

#include <openssl/rand.h>

#include <array>
#include <stdexcept>

#include "cloud/credentials/text.h"

namespace bindery::identity {

std::string RandomText() {
  std::array<unsigned char, 32> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw std::runtime_error("no random numbers");
  }
  return cloud_internal::Base64Url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace bindery::identity
