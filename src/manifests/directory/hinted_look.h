#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "manifests/directory/file_reader.h"
#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// What some files of a listed directory are now.
struct HintedLook {
  Listing present;                ///< Those that are there, with their contents.
  std::vector<std::string> gone;  ///< Those that were listed and are not there any more.
  std::string writers_unknown{};  ///< As ReadOutcome::writers_unknown.
  std::size_t parsed = 0;
};

/// Looks at `hints` alone, reads what is new, and looks again. Nothing when that does not tell all:
/// a hint is of something else than a plain file with one name in a folder that `known` lists, a
/// file cannot be read, a limit is met or nothing is left. kAborted as for ReadFiles and LookAgain.
/// Calls `hook`, if it is not empty, between reading and looking again.
[[nodiscard]] Expected<std::optional<HintedLook>> LookAtHinted(
    const OpenRoot& root, const DirectorySettings& settings, const FileLoader& loader,
    const Listing& known, const std::vector<std::string>& hints, const std::function<void()>& hook);

/// Brings `known` up to what `look` found. Adds to `orphans` as AdoptContents does.
void TakeOver(const HintedLook& look, Listing& known, std::set<std::string>& orphans);

}  // namespace bindery::manifests
