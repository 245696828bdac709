#include "cloud/secret_text.h"

#include <utility>

#include "cloud/credentials/small_file.h"
#include "cloud/credentials/text.h"

namespace bindery::cloud {

Expected<std::string> ReadSecretText(const std::string& path) {
  auto file = ReadSmallFile(path);
  if (!file) return Fail(std::move(file.error()));
  std::string text(Trimmed(file->text));
  if (text.empty()) {
    return Fail(Code::kUnauthenticated, CredentialFileName(path) + " is empty");
  }
  return text;
}

}  // namespace bindery::cloud
