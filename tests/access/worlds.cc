// Answers questions about access in given worlds. Reads a world a line from standard input:
//   {"policies": [{"kind", "name", "bindings"}],   what bindery read
//    "scan": {"hoursLater", "containers": [{"name", "number", "parent"}],
//             "policies": [{"kind", "name", "place", "bindings"}]},
//    "groups": {GROUP: [MEMBER, …]},
//    "questions": [{"target", "principal", "role"}]}
// and prints a line for each: [[[verdict, principal, role, via, inheritedFrom, evidence], …], …],
// null for a question without an answer.

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "core/text/time_text.h"
#include "report/access/access_report.h"
#include "store/open_store.h"
#include "support/fake_clock.h"
#include "support/temp_dir.h"

namespace bindery {
namespace {

template <typename T>
T Must(Expected<T> value) {
  if (!value) throw std::runtime_error(ToString(value.error()));
  return *std::move(value);
}
void Must(const Expected<void>& done) {
  if (!done) throw std::runtime_error(ToString(done.error()));
}

WallTime ReadAt() { return Must(ParseRfc3339("2026-11-21T10:00:00Z")); }

void AddPolicies(const Json& policies, store::StoreChange& change) {
  for (const Json& policy : policies) {
    store::RevisionRecord revision;
    revision.target = {policy.at("kind").get<std::string>(), "",
                       policy.at("name").get<std::string>()};
    revision.time = ReadAt();
    revision.policy = Json{{"bindings", policy.at("bindings")}}.dump();
    revision.digest = "digest of " + revision.policy;
    store::TargetRecord record;
    record.target = revision.target;
    record.observed = true;
    record.exists = true;
    record.observed_at = revision.time;
    record.policy_digest = revision.digest;
    change.revisions.push_back(std::move(revision));
    change.upsert_targets.push_back(std::move(record));
  }
}

void AddScan(const Json& found, store::InventoryStore& inventory) {
  InventoryRecord scan;
  scan.provider = "cloudnative";
  scan.scope = "organizations/1";
  scan.started = ReadAt() + std::chrono::hours(found.at("hoursLater").get<int>());
  scan.id = Must(inventory.BeginInventory(scan));
  InventoryPage page;
  for (const Json& container : found.at("containers")) {
    page.containers.push_back({container.at("name").get<std::string>(),
                               container.at("number").get<std::string>(),
                               container.at("parent").get<std::string>(), "", "ACTIVE"});
  }
  for (const Json& policy : found.at("policies")) {
    const auto name = policy.at("name").get<std::string>();
    page.policies.push_back({"//host/" + name, "host/Type", policy.at("kind").get<std::string>(),
                             name, policy.at("place").get<std::string>(),
                             CompactJson(policy.at("bindings"))});
  }
  Must(inventory.AddInventoryPage(scan, page));
  scan.finished = scan.started;
  Must(inventory.FinishInventory(scan));
}

Json AnswersTo(const report::AccessRecords& records, const Json& question) {
  report::AccessQuery query;
  query.target = question.at("target").get<std::string>();
  query.principal = question.at("principal").get<std::string>();
  query.role = question.at("role").get<std::string>();
  const auto report = report::AccessReport(records, query, ReadAt() + std::chrono::hours(100));
  if (!report && report.error().code == Code::kNotFound) return nullptr;
  Json lines = Json::array();
  for (const report::AccessAnswer& answer : Must(report).answers) {
    lines.push_back(
        Json::array({ToString(answer.verdict), answer.principal, answer.grant.grant.role,
                     answer.via.value_or(""), answer.inherited_from.value_or(""),
                     answer.evidence.value_or("")}));
  }
  return lines;
}

Json AnswersIn(const Json& world, const std::string& name) {
  const testing::TempDir dir;
  testing::FakeClock clock;
  const auto store = Must(
      store::OpenStore(StoreLocation(dir / (name + ".db")), store::StoreAccess::kReadWrite, clock));
  store::StoreChange change;
  AddPolicies(world.at("policies"), change);
  Must(store->Apply(std::move(change)));
  AddScan(world.at("scan"), store->inventory());
  dir.Write("groups.yaml", Json{{"groups", world.at("groups")}}.dump());
  report::AccessRecords records{*store, &store->inventory(), {{"cloudnative", "cloudnative"}}};
  records.groups = std::make_shared<const access::GroupMembers>(
      Must(access::GroupMembers::Read({dir / "groups.yaml"})));
  Json answers = Json::array();
  for (const Json& question : world.at("questions")) {
    answers.push_back(AnswersTo(records, question));
  }
  return answers;
}

}  // namespace
}  // namespace bindery

int main() {
  try {
    std::string line;
    for (int number = 0; std::getline(std::cin, line); ++number) {
      const auto world = bindery::Must(bindery::ParseJson(line));
      std::cout << bindery::AnswersIn(world, "w" + std::to_string(number)).dump() << std::endl;
    }
  } catch (const std::exception& failure) {
    std::cerr << "access_worlds: " << failure.what() << "\n";
    return 1;
  }
  return 0;
}
