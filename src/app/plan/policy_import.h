#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "app/clouds/provider_access.h"
#include "app/directory/declared_manifests.h"
#include "app/plan/import_layout.h"
#include "app/plan/imported_text.h"
#include "app/plan/replaced_parts.h"
#include "app/plan/target_import.h"
#include "config/config.h"
#include "core/access/inventory.h"
#include "core/base/expected.h"
#include "providers/inventory_source.h"
#include "report/codec/json_codec.h"

namespace bindery::app {

/// The wish for manifests of many policies.
struct PolicyImportWish {
  ImportShape shape = ImportShape::kBinding;
  ImportLayout layout;
  std::string kinds = {};  ///< As FitsKindPattern(), of the kinds of the written manifests.
  bool protect = false;
  bool read = false;  ///< The policies may be old: each is read.
};

/// What was not declared of a target.
struct LeftOutLine {
  std::string target;
  std::string reason;
};

/// The result of an import of many policies.
struct PolicyImportReport {
  std::int64_t policies = 0;  ///< With a kind that was asked for.
  std::int64_t files = 0;
  std::int64_t manifests = 0;
  std::int64_t gone = 0;    ///< Of the policies: the resource does not exist any more.
  std::int64_t grants = 0;  ///< All of `counts`.
  ImportCounts counts;
  /// Policies of resources that no kind manages, by type.
  std::map<std::string, std::int64_t> no_kind = {};
  std::vector<LeftOutLine> left_out = {};
  std::vector<std::string> not_known = {};  ///< What the source does not tell, in sentences.
};

}  // namespace bindery::app

namespace bindery::report {

template <>
inline constexpr auto kFields<app::LeftOutLine> = std::tuple{
    Field{"target", &app::LeftOutLine::target}, Field{"reason", &app::LeftOutLine::reason}};

template <>
inline constexpr auto kFields<app::ImportCounts> =
    std::tuple{Field{"imported", &app::ImportCounts::imported},
               Field{"declared", &app::ImportCounts::declared},
               Field{"accepted", &app::ImportCounts::accepted},
               Field{"justInTime", &app::ImportCounts::just_in_time},
               Field{"serviceAgents", &app::ImportCounts::service_agents},
               Field{"tombstones", &app::ImportCounts::tombstones},
               Field{"leftOut", &app::ImportCounts::left_out}};

template <>
inline constexpr auto kFields<app::PolicyImportReport> =
    std::tuple{Field{"policies", &app::PolicyImportReport::policies},
               Field{"files", &app::PolicyImportReport::files},
               Field{"manifests", &app::PolicyImportReport::manifests},
               Field{"gone", &app::PolicyImportReport::gone},
               Field{"grants", &app::PolicyImportReport::grants},
               Field{"classes", &app::PolicyImportReport::counts},
               Field{"noKind", &app::PolicyImportReport::no_kind},
               Field{"leftOut", &app::PolicyImportReport::left_out},
               Field{"notKnown", &app::PolicyImportReport::not_known}};

}  // namespace bindery::report

namespace bindery::app {

/// What an import of policies works with. All parts outlive the import.
struct PolicyImportParts {
  const config::Config& config;
  const OpenedProvider& provider;
  const providers::InventorySource& source;
  const DeclaredFolder& declared;
  /// Writes the manifests of one file, which is new: the path is below the manifests directory.
  /// kAlreadyExists: there is a file of the name, and another name is tried.
  std::function<Expected<void>(const std::string& path, const std::string& text)> write;
  /// Puts the files that were written since the last call into place. May be empty.
  std::function<Expected<void>()> place;
  std::function<void(std::size_t done, std::size_t all)> progress;
};

/// kInvalidArgument: no kind of the manifests in the shape of the wish fits
/// PolicyImportWish::kinds.
[[nodiscard]] Expected<void> CheckKindPattern(const providers::InventorySource& source,
                                              const PolicyImportWish& wish);

/// Writes manifests of everything in `facts` that manifests can declare, in the order of the paths
/// of their files, some files at a time, so that an import that was cut off continues with what no
/// manifest declares yet.
/// An error ends the import: a file that cannot be written. Reads policies only if the wish is to
/// read. Blocks. `written`: a manifest of each target, for ReplacedParts().
[[nodiscard]] Expected<PolicyImportReport> ImportPolicies(const PolicyImportParts& parts,
                                                          const PolicyImportWish& wish,
                                                          const InventoryFacts& facts,
                                                          std::vector<WrittenManifest>& written);

}  // namespace bindery::app
