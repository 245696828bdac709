#include "store/tables/inventories.h"

#include <map>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/base/json_text.h"

namespace bindery::store {
namespace {

constexpr const char* kInsertScan = R"sql(
INSERT INTO inventories (provider, scope, started, finished, step, token, pages, policies, containers,
  others, unread)
VALUES (?1, ?2, ?3, NULL, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
)sql";

constexpr const char* kMoveScan = R"sql(
UPDATE inventories SET (step, token, pages, policies, containers, others, unread)
  = (?2, ?3, ?4, ?5, ?6, ?7, ?8) WHERE id = ?1
)sql";

constexpr const char* kUpsertPolicy = R"sql(
INSERT INTO inventory_policies (inventory, resource, type, kind, target, place, bindings)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (inventory, resource, type) DO UPDATE SET (kind, target, place, bindings)
  = (?4, ?5, ?6, ?7)
)sql";

constexpr const char* kUpsertContainer = R"sql(
INSERT INTO inventory_containers (inventory, name, number, parent, shown, state)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (inventory, name) DO UPDATE SET (number, parent, shown, state) = (?3, ?4, ?5, ?6)
)sql";

constexpr const char* kScans = R"sql(
SELECT id, provider, scope, started, finished, step, token, pages, policies, containers, others,
  unread
FROM inventories ORDER BY started DESC, id DESC
)sql";

constexpr const char* kScan = R"sql(
SELECT id, provider, scope, started, finished, step, token, pages, policies, containers, others,
  unread
FROM inventories WHERE id = ?1
)sql";

constexpr const char* kPlacesOutsideProjects = R"sql(
SELECT kind, target, place FROM inventory_policies
WHERE inventory = ?1 AND kind <> '' AND substr(target, 1, 9) <> 'projects/'
)sql";

std::string TextOfOthers(const InventoryRecord& scan) {
  Json others = Json::object();
  for (const auto& [type, count] : scan.others) others[type] = count;
  return CompactJson(others);
}

std::string TextOfUnread(const InventoryRecord& scan) {
  Json unread = Json::array();
  for (const std::string& text : scan.unread) unread.push_back(text);
  return CompactJson(unread);
}

InventoryRecord ReadScan(const Query& query) {
  InventoryRecord scan;
  scan.id = query.Int(0);
  scan.provider = query.Text(1);
  scan.scope = query.Text(2);
  scan.started = query.Time(3);
  if (!query.IsNull(4)) scan.finished = query.Time(4);
  scan.step = query.Int(5);
  scan.token = query.Text(6);
  scan.pages = query.Int(7);
  scan.policies = query.Int(8);
  scan.containers = query.Int(9);
  if (const auto others = ParseJson(query.Text(10)); others && others->is_object()) {
    for (const auto& [type, count] : others->items()) {
      if (count.is_number_integer()) scan.others[type] = count.get<std::int64_t>();
    }
  }
  if (const auto unread = ParseJson(query.Text(11)); unread && unread->is_array()) {
    for (const Json& text : *unread) {
      if (text.is_string()) scan.unread.push_back(text.get<std::string>());
    }
  }
  return scan;
}

/// False: it is not on record.
bool MoveScan(Connection& connection, const InventoryRecord& scan) {
  const std::string others = TextOfOthers(scan);
  const std::string unread = TextOfUnread(scan);
  return RunCounting(connection, kMoveScan, scan.id, scan.step, scan.token, scan.pages,
                     scan.policies, scan.containers, others, unread) > 0;
}

void Forget(Connection& connection, const std::vector<std::int64_t>& ids) {
  for (const std::int64_t id : ids) {
    Run(connection, "DELETE FROM inventory_policies WHERE inventory = ?1", id);
    Run(connection, "DELETE FROM inventory_containers WHERE inventory = ?1", id);
    Run(connection, "DELETE FROM inventories WHERE id = ?1", id);
  }
}

/// The scans for which `is_meant` holds.
template <typename IsMeant>
std::vector<std::int64_t> ListIds(Connection& connection, const IsMeant& is_meant) {
  std::vector<std::int64_t> ids;
  for (const InventoryRecord& scan : ReadInventories(connection)) {
    if (is_meant(scan)) ids.push_back(scan.id);
  }
  return ids;
}

bool IsOfTheSame(const InventoryRecord& one, const InventoryRecord& other) {
  return one.provider == other.provider && one.scope == other.scope;
}

/// The ids of the projects that the scan found, by number: "projects/42".
std::map<std::string, std::string> ReadNumbers(Connection& connection, std::int64_t scan) {
  std::map<std::string, std::string> names;
  Query query(connection,
              "SELECT number, name FROM inventory_containers WHERE inventory = ?1 AND number <> ''",
              scan);
  while (query.Next()) names.emplace(query.Text(0), query.Text(1));
  return names;
}

Error NotOnRecord(std::int64_t id) {
  Error error;
  error.code = Code::kNotFound;
  error.message = "there is no scan " + std::to_string(id);
  return error;
}

}  // namespace

std::int64_t BeginInventory(Connection& connection, const InventoryRecord& scan) {
  Forget(connection, ListIds(connection, [&](const InventoryRecord& other) {
           return IsOfTheSame(scan, other) && !other.finished;
         }));
  const std::string others = TextOfOthers(scan);
  const std::string unread = TextOfUnread(scan);
  return Insert(connection, kInsertScan, scan.provider, scan.scope, scan.started, scan.step,
                scan.token, scan.pages, scan.policies, scan.containers, others, unread);
}

Expected<void> AddInventoryPage(Connection& connection, const InventoryRecord& scan,
                                const InventoryPage& page) {
  if (!MoveScan(connection, scan)) return Fail(NotOnRecord(scan.id));
  for (const InventoryPolicy& policy : page.policies) {
    Run(connection, kUpsertPolicy, scan.id, policy.resource, policy.type, policy.kind,
        policy.target, policy.place, policy.bindings);
  }
  for (const InventoryContainer& container : page.containers) {
    Run(connection, kUpsertContainer, scan.id, container.name, container.number, container.parent,
        container.shown, container.state);
  }
  return {};
}

Expected<void> FinishInventory(Connection& connection, const InventoryRecord& scan) {
  if (!MoveScan(connection, scan)) return Fail(NotOnRecord(scan.id));
  Run(connection, "UPDATE inventories SET (started, finished) = (?2, ?3) WHERE id = ?1", scan.id,
      scan.started, scan.finished.value_or(scan.started));
  Forget(connection, ListIds(connection, [&](const InventoryRecord& other) {
           return IsOfTheSame(scan, other) && other.id != scan.id;
         }));
  return {};
}

std::vector<InventoryRecord> ReadInventories(Connection& connection) {
  std::vector<InventoryRecord> scans;
  Query query(connection, kScans);
  while (query.Next()) scans.push_back(ReadScan(query));
  return scans;
}

std::optional<InventoryFacts> ReadInventory(Connection& connection, std::int64_t id) {
  InventoryFacts facts;
  {
    Query query(connection, kScan, id);
    if (!query.Next()) return std::nullopt;
    facts.scan = ReadScan(query);
  }
  Query policies(connection,
                 "SELECT resource, type, kind, target, place, bindings FROM inventory_policies "
                 "WHERE inventory = ?1 ORDER BY resource, type",
                 id);
  while (policies.Next()) {
    facts.policies.push_back({policies.Text(0), policies.Text(1), policies.Text(2),
                              policies.Text(3), policies.Text(4), policies.Text(5)});
  }
  Query containers(connection,
                   "SELECT name, number, parent, shown, state FROM inventory_containers "
                   "WHERE inventory = ?1 ORDER BY name",
                   id);
  while (containers.Next()) {
    facts.containers.push_back({containers.Text(0), containers.Text(1), containers.Text(2),
                                containers.Text(3), containers.Text(4)});
  }
  return facts;
}

void EachScannedPlace(Connection& connection, const std::function<void(ScannedPlace&&)>& take) {
  for (const InventoryRecord& scan : ReadInventories(connection)) {
    if (!scan.finished) continue;
    const std::map<std::string, std::string> names = ReadNumbers(connection, scan.id);
    Query query(connection, kPlacesOutsideProjects, scan.id);
    while (query.Next()) {
      ScannedPlace found{query.Text(0), query.Text(1), query.Text(2)};
      const auto name = names.find(found.place);
      if (name != names.end()) found.place = name->second;
      take(std::move(found));
    }
  }
}

void RetainInventories(Connection& connection, WallTime before) {
  Forget(connection,
         ListIds(connection, [&](const InventoryRecord& scan) { return scan.started < before; }));
}

}  // namespace bindery::store
