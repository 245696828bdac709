#include "app/demo/demo_folder.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/base/json.h"
#include "core/base/json_text.h"

namespace bindery::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* kChangeFile = "demo/change.json";

/// Copied into the folder: {file or folder of the example, its name there}.
constexpr std::pair<const char*, const char*> kCopied[] = {
    {"manifests", "manifests"},
    {"embedded-cloud.yaml", "embedded-cloud.yaml"},
    {"demo/bindery.yaml", "bindery.yaml"},
};

[[nodiscard]] bool HoldsExample(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kChangeFile, ignored);
}

[[nodiscard]] Expected<fs::path> NewTemporaryFolder() {
  std::error_code failed;
  const fs::path below = fs::temp_directory_path(failed);
  if (failed) return Fail(Code::kUnavailable, "no temporary folder: " + failed.message());
  std::string name = (below / "bindery-demo.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return Fail(Code::kUnavailable, name + ": " + std::generic_category().message(errno));
  return fs::path(name);
}

[[nodiscard]] Expected<fs::path> OwnFolder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed && !fs::is_empty(folder, failed) && !failed)
    return Fail(Code::kFailedPrecondition, "the folder \"" + folder.string() + "\" is not empty");
  if (failed)
    return Fail(Code::kUnavailable, "the folder \"" + folder.string() + "\": " + failed.message());
  return fs::absolute(folder);
}

}  // namespace

Expected<fs::path> FindExample(const fs::path& given) {
  if (!given.empty()) {
    if (HoldsExample(given)) return given;
    return Fail(Code::kNotFound, "no " + (given / kChangeFile).string());
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path installed = (program / "../share/bindery/example").lexically_normal();
  const fs::path cloned = (program / "../../config").lexically_normal();
  if (HoldsExample(installed)) return installed;
  if (HoldsExample(cloned)) return cloned;
  return Fail(Code::kNotFound, "the example is neither in \"" + installed.string() +
                                   "\" nor in \"" + cloned.string() + "\": name it by --example");
}

Expected<DemoChange> ReadDemoChange(const fs::path& example) {
  const fs::path file = example / kChangeFile;
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const Expected<Json> read = ParseJson(text);
  if (!read) return Fail(read.error().Wrap(file.string()));
  DemoChange change;
  const std::pair<const char*, std::string*> members[] = {
      {"says", &change.says},         {"grant", &change.grant},   {"target", &change.target},
      {"resource", &change.resource}, {"method", &change.method}, {"path", &change.path},
  };
  for (const auto& [name, value] : members) {
    *value = StringMember(*read, name);
    if (value->empty())
      return Fail(Code::kInvalidArgument, file.string() + ": no text \"" + name + "\"");
  }
  const Json* body = FindMember(*read, "body");
  if (body == nullptr) return Fail(Code::kInvalidArgument, file.string() + ": no \"body\"");
  change.body = CompactJson(*body);
  return change;
}

Expected<DemoFolder> DemoFolder::Make(const fs::path& example, const fs::path& folder) {
  const bool stays = !folder.empty();
  Expected<fs::path> path = stays ? OwnFolder(folder) : NewTemporaryFolder();
  if (!path) return Fail(path.error());
  DemoFolder made(*std::move(path), stays);
  for (const auto& [from, to] : kCopied) {
    std::error_code failed;
    fs::copy(example / from, made.path() / to, fs::copy_options::recursive, failed);
    if (failed)
      return Fail(Code::kUnavailable, (example / from).string() + " cannot be copied to " +
                                          (made.path() / to).string() + ": " + failed.message());
  }
  return made;
}

DemoFolder::DemoFolder(DemoFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), stays_(other.stays_) {}

DemoFolder::~DemoFolder() {
  if (path_.empty() || stays_) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace bindery::app
