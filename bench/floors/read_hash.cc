// The floor of noticing what a tree of files holds: read every file and hash it, on all cores.

#include <openssl/evp.h>

#include <atomic>

#include "file_bytes.h"
#include "floor.h"

namespace {

constexpr const char* kUsage =
    "usage: read_hash FOLDER\n"
    "Reads and hashes (SHA-256) all files of a tree on all cores.\n"
    "Prints {items, wallSeconds, cpuSeconds, bytes}.\n";

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() != 1) throw std::invalid_argument("give one folder");
  const floors::Stopwatch watch;
  const std::vector<std::string> files = floors::ListFiles(arguments.plain().front());
  std::atomic<std::size_t> bytes{0};
  floors::OnAllCores(files.size(), [&](unsigned /*thread*/, std::size_t item) {
    thread_local std::string content;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    floors::ReadFile(files[item], content);
    EVP_Digest(content.data(), content.size(), digest, &size, EVP_sha256(), nullptr);
    bytes += content.size();
  });
  nlohmann::ordered_json result = floors::Result(files.size(), watch);
  result["bytes"] = bytes.load();
  return result;
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
