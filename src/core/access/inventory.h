#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"

namespace bindery {

// The findings of a scan of a cloud. A scan lists policies by an index of the cloud: the facts may
// be hours old. The facts never decide a write.

/// A policy as the index shows it.
struct InventoryPolicy {
  std::string resource;  ///< Full name, with its host: "//HOST/projects/acme/topics/orders".
  std::string type;      ///< As the index has it: "HOST/Topic".
  std::string kind;      ///< Target::kind; empty: no kind manages such resources.
  std::string target;    ///< Target::name; empty where `kind` is.
  std::string place;     ///< The container that the resource is in: "projects/acme", "folders/20".
  std::string bindings;  ///< JSON array, as it was received.

  bool operator==(const InventoryPolicy&) const = default;
};

/// An organization, a folder or a project.
struct InventoryContainer {
  std::string name;    ///< "projects/acme", "folders/20", "organizations/1".
  std::string number;  ///< "projects/415104041262"; empty: unknown, or `name` is a number.
  std::string parent;  ///< The same form as `name`; empty: none is known.
  std::string shown;   ///< What people call it; may be empty.
  std::string state;   ///< "ACTIVE", as the index has it.

  bool operator==(const InventoryContainer&) const = default;
};

/// Where a scan found a target.
struct ScannedPlace {
  std::string kind;    ///< Target::kind
  std::string target;  ///< Target::name
  std::string place;   ///< As InventoryPolicy::place, with the id of a project for its number.

  bool operator==(const ScannedPlace&) const = default;
};

/// One answer of the index.
struct InventoryPage {
  std::vector<InventoryPolicy> policies;
  std::vector<InventoryContainer> containers;
  /// Resources whose access is not read, by type.
  std::map<std::string, std::int64_t> others;
  std::string next;  ///< Asks for the page after this one; empty: this is the last one.
  /// Equal for pages that show the same; empty: the source leaves that to comparing the rest.
  std::string digest = {};
};

/// A scan on record: the progress and the counts.
struct InventoryRecord {
  std::int64_t id = 0;  ///< Given by the store.
  std::string provider;
  std::string scope;  ///< "organizations/1"
  WallTime started;
  std::optional<WallTime> finished;  ///< Nothing: it was not carried to its end.
  std::int64_t step = 0;             ///< Of InventorySource::Steps(): the one that is under way.
  std::string token;                 ///< Asks for its next page; empty: for the first one.
  std::int64_t pages = 0;
  std::int64_t policies = 0;
  std::int64_t containers = 0;
  std::map<std::string, std::int64_t> others = {};  ///< As InventoryPage::others.
  std::vector<std::string> unread = {};             ///< Which steps were refused, and why.

  bool operator==(const InventoryRecord&) const = default;
};

/// All findings of a scan.
struct InventoryFacts {
  InventoryRecord scan;
  std::vector<InventoryPolicy> policies;       ///< By resource.
  std::vector<InventoryContainer> containers;  ///< By name.
};

}  // namespace bindery
