#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "core/base/expected.h"

namespace bindery::app {

/// A change by somebody in the example's cloud, beside the manifests: demo/change.json.
struct DemoChange {
  std::string says;      ///< One sentence for people, before `grant`.
  std::string grant;     ///< "roles/storage.objectViewer for allUsers"
  std::string target;    ///< The name of the changed target.
  std::string resource;  ///< A resource that declares a grant there.
  std::string method;
  std::string path;  ///< Of the request to the embedded cloud, from its first slash.
  std::string body;
};

/// The folder of the example: `given` unless empty, else beside the installed program
/// (../share/bindery/example), else in the clone of the program's build (../../config).
/// kNotFound names the searched folders.
[[nodiscard]] Expected<std::filesystem::path> FindExample(const std::filesystem::path& given);

/// The change in an example's demo/change.json. kInvalidArgument names the file.
[[nodiscard]] Expected<DemoChange> ReadDemoChange(const std::filesystem::path& example);

/// The folder of a demonstration.
class DemoFolder {
 public:
  /// Copies the example into `folder`, which must be empty or not exist, and stays. An empty path:
  /// into a new folder below $TMPDIR or /tmp, removed by the destructor. kFailedPrecondition
  /// for a folder with content, kUnavailable for a folder that cannot be written.
  [[nodiscard]] static Expected<DemoFolder> Make(const std::filesystem::path& example,
                                                 const std::filesystem::path& folder);

  ~DemoFolder();
  DemoFolder(DemoFolder&& other) noexcept;
  DemoFolder& operator=(DemoFolder&&) = delete;
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path ConfigFile() const { return path_ / "bindery.yaml"; }
  [[nodiscard]] bool stays() const { return stays_; }

 private:
  DemoFolder(std::filesystem::path path, bool stays) : path_(std::move(path)), stays_(stays) {}

  std::filesystem::path path_;  ///< Empty: moved away.
  bool stays_;
};

}  // namespace bindery::app
