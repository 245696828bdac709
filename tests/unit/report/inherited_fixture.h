#pragma once

#include <memory>
#include <string>
#include <vector>

#include "unit/report/access_fixture.h"

namespace bindery::testing {

inline constexpr const char* kOrganization = "organizations/1";
inline constexpr const char* kTopic = "projects/acme/topics/orders";

inline Target OrdersTopic() { return {"pubsub:Topic", "", kTopic}; }
inline Target AcmeProject() { return {"cloudresourcemanager:Project", "", "projects/acme"}; }

class InheritedAccessTest : public AccessTest {
 protected:
  /// A policy as a scan shows it.
  static InventoryPolicy Found(const std::string& kind, const std::string& target,
                               const std::vector<Json>& bindings,
                               const std::string& place = "projects/42") {
    Json list = Json::array();
    for (const Json& binding : bindings) list.push_back(binding);
    return {"//some.host/" + target, "some.host/Type", kind, target, place, list.dump()};
  }

  /// A finished scan of an organization with one folder and two projects.
  void Scanned(std::vector<InventoryPolicy> policies,
               const std::string& time = "2026-11-21T10:00:00Z") {
    InventoryRecord scan;
    scan.provider = "cloudnative";
    scan.scope = kOrganization;
    scan.started = At(time);
    const auto id = store_->inventory().BeginInventory(scan);
    ASSERT_THAT(id, IsOk());
    scan.id = *id;
    InventoryPage page;
    page.policies = std::move(policies);
    page.containers = {{kOrganization, "", "", "", "ACTIVE"},
                       {"folders/20", "", kOrganization, "", "ACTIVE"},
                       {"projects/acme", "projects/42", "folders/20", "Acme", "ACTIVE"},
                       {"projects/beta", "", "folders/20", "Beta", "ACTIVE"}};
    ASSERT_THAT(store_->inventory().AddInventoryPage(scan, page), IsOk());
    scan.finished = scan.started;
    ASSERT_THAT(store_->inventory().FinishInventory(scan), IsOk());
  }

  [[nodiscard]] report::AccessRecords Records() const {
    return {*store_, &store_->inventory(), {{"cloudnative", "cloudnative"}}, groups_, roles_};
  }

  /// "granted user:ana@example.com roles/viewer < folders/20 (scan)"
  std::vector<std::string> Lines(const report::AccessQuery& query) {
    auto report = report::AccessReport(Records(), query, Now());
    EXPECT_THAT(report, IsOk());
    std::vector<std::string> lines;
    if (!report) return lines;
    report_ = std::move(*report);
    for (const report::AccessAnswer& answer : report_.answers) {
      const Grant& grant = answer.grant.grant;
      lines.push_back(std::string(ToString(answer.verdict)) + " " + answer.principal + " " +
                      grant.role + (answer.inherited_from ? " < " + *answer.inherited_from : "") +
                      (answer.evidence ? " (" + *answer.evidence + ")" : ""));
    }
    return lines;
  }
  /// The verdict for the target of a grant by the organization under the condition.
  std::string VerdictFor(const std::string& expression, const std::string& target) {
    std::vector<InventoryPolicy> policies = found_;
    policies.push_back(Found("cloudresourcemanager:Organization", kOrganization,
                             {Role("roles/viewer", {"user:ana@example.com"}, expression)},
                             kOrganization));
    Scanned(std::move(policies));
    report::AccessQuery query;
    query.target = target;
    Lines(query);
    if (report_.answers.size() != 1) return std::to_string(report_.answers.size()) + " answers";
    return std::string(ToString(report_.answers[0].verdict));
  }
  void ListGroups(const std::string& text) {
    dir_.Write("groups.yaml", text);
    auto groups = access::GroupMembers::Read({dir_ / "groups.yaml"});
    ASSERT_THAT(groups, IsOk());
    groups_ = std::make_shared<const access::GroupMembers>(*std::move(groups));
  }

  std::vector<InventoryPolicy> found_;  ///< Of each scan of VerdictFor.
  std::shared_ptr<const access::GroupMembers> groups_;
  std::shared_ptr<const access::RolePermissions> roles_;
  [[nodiscard]] std::string Limits() const {
    std::string text;
    for (const std::string& limit : report_.not_considered) text += limit + "\n";
    return text;
  }
};

inline report::AccessQuery On(const std::string& target) {
  report::AccessQuery query;
  query.target = target;
  return query;
}

}  // namespace bindery::testing
