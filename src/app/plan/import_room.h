#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "app/plan/policy_import.h"
#include "config/config.h"
#include "core/access/inventory.h"
#include "core/base/expected.h"

namespace bindery::app {

/// The files of the manifests directory, with those that a command adds, against the limits of the
/// reader (`manifests.maxFiles`, `manifests.maxBytes`). For one thread.
class ImportRoom {
 public:
  /// Counts the present files. `advice`: what else than higher limits helps. Blocks.
  [[nodiscard]] static ImportRoom Measure(const config::ManifestsConfig& config,
                                          std::string advice = "");

  /// Further files of this number and size fit in any case.
  [[nodiscard]] bool IsAmple(std::uint64_t files, std::uint64_t bytes) const;

  /// Takes a new file into account. `path`: below the directory. kFailedPrecondition: with the file
  /// bindery would read nothing of the directory.
  [[nodiscard]] Expected<void> Take(const std::string& path, const std::string& text);
  /// The same of a present file that changes its size.
  [[nodiscard]] Expected<void> Resize(std::uint64_t before, std::uint64_t after);
  /// A file that was taken into account is not written: there is another one of the name.
  void GiveBack(const std::string& text);

 private:
  ImportRoom(const config::ManifestsConfig& config, std::string advice);
  [[nodiscard]] Error MakeRefusal(const std::string& what, const std::string& key,
                                  std::uint64_t limit) const;
  [[nodiscard]] Expected<void> CheckBytes() const;

  std::string advice_;
  std::uint64_t most_files_;
  std::uint64_t most_bytes_;
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
  std::set<std::string> folders_;  ///< Below the directory.
};

/// Whether the files fit into the directory that an import of the facts writes, as far as the facts
/// tell. Writes nothing and reads no policy. kFailedPrecondition: no, or another reason why the
/// import would fail.
[[nodiscard]] Expected<void> CheckRoom(const ImportRoom& room, const PolicyImportParts& parts,
                                       const PolicyImportWish& wish, const InventoryFacts& facts);

}  // namespace bindery::app
