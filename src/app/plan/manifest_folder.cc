#include "app/plan/manifest_folder.h"

#include <system_error>

#include "app/plan/manifest_writer.h"
#include "core/text/text_search.h"
#include "manifests/files/file_names.h"

namespace bindery::app {

Expected<void> MakeFoldersBelow(const std::filesystem::path& directory,
                                const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_directory(directory, failed)) {
    return Fail(Code::kFailedPrecondition,
                "the manifests directory \"" + directory.string() + "\" does not exist: make it");
  }
  const std::string real = fs::weakly_canonical(directory, failed).string();
  if (!IsWithin(fs::weakly_canonical(file.parent_path(), failed).string(), real)) {
    return Fail(Code::kFailedPrecondition, "\"" + file.string() +
                                               "\" leads out of the manifests directory \"" +
                                               directory.string() + "\"");
  }
  failed.clear();
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return Fail(Code::kFailedPrecondition,
                "\"" + file.parent_path().string() + "\" cannot be made: " + failed.message());
  }
  return {};
}

Expected<void> WriteNewBelow(const std::filesystem::path& directory,
                             const std::filesystem::path& file, const std::string& text) {
  if (auto made = MakeFoldersBelow(directory, file); !made) return made;
  return WriteNewFile(file, text);
}

}  // namespace bindery::app
