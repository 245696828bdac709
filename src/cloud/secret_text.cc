#include "cloud/secret_text.h"

#include <utility>

#include "cloud/credentials/small_file.h"
#include "cloud/credentials/text.h"

namespace bindery {

Expected<std::string> ReadSecretText(const std::string& path) {
  auto file = cloud_internal::ReadSmallFile(path);
  if (!file) return Fail(std::move(file.error()));
  std::string text(cloud_internal::Trimmed(file->text));
  if (text.empty()) {
    return Fail(Code::kUnauthenticated, cloud_internal::CredentialFileName(path) + " is empty");
  }
  return text;
}

}  // namespace bindery
