#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/connection.h"
#include "core/access/inventory.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "core/text/type_token.h"
#include "providers/group_directory.h"
#include "providers/provider_config.h"

namespace bindery::providers {

class ProviderSettings;

/// The page of an index to read.
struct InventoryQuestion {
  std::string scope;       ///< As ReadScope() gives it.
  std::size_t step = 0;    ///< Of Steps().
  std::string token = {};  ///< InventoryPage::next of the page before; empty: the first page.
  std::chrono::milliseconds timeout{60'000};
  /// The page is only compared: of a page with a digest, all but `next` and `digest` may be
  /// missing.
  bool compare = false;
  bool digest = false;  ///< InventoryPage::digest is wanted.
};

/// A list that a scan reads.
struct InventoryStep {
  std::string_view words;  ///< For people: "policies".
  bool needed = true;      ///< Without it a scan says nothing. Else a refusal is noted.
};

/// The scan that the configuration wants from time to time.
struct InventoryPlan {
  std::string scope = {};  ///< Empty: nothing.
  std::chrono::milliseconds interval{0};
  bool hints = false;  ///< Declared targets that the scan shows unchanged are read less often.
};

/// The index of a cloud, or what takes its place: all policies below an organization, in pages. One
/// object, without state, for all threads.
class InventorySource {
 public:
  InventorySource() = default;
  virtual ~InventorySource() = default;
  InventorySource(const InventorySource&) = delete;
  InventorySource& operator=(const InventorySource&) = delete;

  /// As Provider::type().
  [[nodiscard]] virtual std::string_view provider_type() const = 0;

  /// The scope of a text: "organizations/1". kInvalidArgument with the possible forms.
  [[nodiscard]] virtual Expected<std::string> ReadScope(const std::string& text) const = 0;

  /// Of a checked configuration.
  [[nodiscard]] virtual InventoryPlan ComposePlan(const ProviderConfig& config) const = 0;

  /// The files with the members of groups, of a checked configuration.
  [[nodiscard]] virtual std::vector<std::string> ListGroupFiles(
      const ProviderConfig& /*config*/) const {
    return {};
  }

  /// The service with the members of groups, likewise.
  [[nodiscard]] virtual GroupPlan GetGroups(const ProviderConfig& /*config*/) const { return {}; }

  /// The files with roles and their permissions, likewise.
  [[nodiscard]] virtual std::vector<std::string> ListRoleFiles(
      const ProviderConfig& /*config*/) const {
    return {};
  }

  /// The lists of a scan, in reading order.
  [[nodiscard]] virtual std::span<const InventoryStep> Steps() const = 0;

  /// Reads one page. Blocks. kInvalidArgument: the service refuses the token, or the scope.
  /// Further errors as of any call.
  [[nodiscard]] virtual Expected<InventoryPage> Read(const cloud::Connection& connection,
                                                     const InventoryQuestion& question) const = 0;

  /// Target::kind by whose rules grants are judged on resources that no kind manages.
  [[nodiscard]] virtual std::string JudgedAs() const = 0;

  /// The greatest age of the index's content.
  [[nodiscard]] virtual std::chrono::hours MayBeOld() const = 0;

  /// A scope is everything that the provider's credentials reach: names of targets tell no place.
  [[nodiscard]] virtual bool IsWholeAccount() const { return false; }

  /// What gives or takes access in the scope, and is not in the results of the scan: a line each.
  [[nodiscard]] virtual std::vector<std::string> NotLookedAt(const InventoryRecord& scan) const = 0;

  /// The policies in the output of the cloud's own tool, `results` being the list of its results;
  /// `containers` are the projects that the output shows under both names. kInvalidArgument: the
  /// output of something else, with the number of the result. Pure.
  [[nodiscard]] virtual Expected<InventoryPage> ReadExport(const Json& /*results*/) const {
    return Fail(Code::kUnimplemented, "no output of a tool of this cloud can be read");
  }

  /// The kind that declares whole policies where the kind of the token declares one role; an empty
  /// token: no such kind.
  [[nodiscard]] virtual TypeToken GetWholePolicy(const TypeToken& /*binding*/) const { return {}; }
};

/// Reports errors of `scan.scope`, and keys of `scan` that nothing uses, of a provider with the
/// index.
void CheckScanPlan(const InventorySource& source, const std::string& scope,
                   ProviderSettings& settings);

/// The index of providers of a type; null: the type has none.
[[nodiscard]] const InventorySource* FindInventory(std::string_view provider_type);

/// The provider whose index is asked: the one of the name; without a name the first whose index
/// `serves`, else the first with an index, whose words say what would serve. Nothing: no such
/// provider has an index. `types`: the types of the providers, by name.
[[nodiscard]] std::optional<std::string> ProviderWithIndex(
    const std::map<std::string, std::string>& types, const std::string& name,
    const std::function<bool(const InventorySource&)>& serves);

}  // namespace bindery::providers
