// Imports of one policy under several names.

#include "app/plan/policy_import.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "access/places.h"
#include "cloud/connection.h"
#include "core/access/inventory.h"
#include "providers/registry/kinds.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;

/// A policy and its names. No service tells the name behind a number.
struct NamedPolicy {
  std::string kind;
  std::vector<std::string> names;  ///< The last one has no number.
  std::string number;              ///< Of the project, as the import tells; empty: unknown.
};

constexpr const char* kAccountOfNumber = "projects/123456/serviceAccounts/107734218812345678901";
constexpr const char* kAccountOfId = "projects/acme/serviceAccounts/107734218812345678901";
constexpr const char* kAddressOfNumber =
    "projects/123456/serviceAccounts/ci@acme.iam.gserviceaccount.com";
constexpr const char* kAddress = "projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com";

/// The places of `count` names in all orders and with all repetitions, up to the length.
std::vector<std::vector<std::size_t>> ListOrders(std::size_t count, std::size_t longest) {
  std::vector<std::vector<std::size_t>> orders = {{}};
  for (std::size_t at = 0; at < orders.size(); ++at) {
    if (orders[at].size() == longest) continue;
    for (std::size_t next = 0; next < count; ++next) {
      std::vector<std::size_t> longer = orders[at];
      longer.push_back(next);
      orders.push_back(std::move(longer));
    }
  }
  orders.erase(orders.begin());
  return orders;
}

InventoryFacts MakeFacts(const NamedPolicy& policy, const std::vector<std::size_t>& order) {
  InventoryFacts facts;
  if (!policy.number.empty()) {
    facts.containers.push_back({"projects/acme", "projects/" + policy.number, "", "", "ACTIVE"});
  }
  for (const std::size_t at : order) {
    const std::string& name = policy.names[at];
    facts.policies.push_back({"//host/" + name, "host/Type", policy.kind, name,
                              access::ContainerInName(name),
                              R"([{"role": "roles/viewer", "members": ["user:a@example.com"]}])"});
  }
  return facts;
}

class PolicyImportTest : public ::testing::Test {
 protected:
  PolicyImportTest() {
    config.store = dir.path() / "none.db";
    provider.name = "cloud";
    provider.connection = std::make_shared<const cloud::Connection>();
  }

  /// The texts of the written files go to `texts`.
  [[nodiscard]] Expected<PolicyImportReport> Import(const InventoryFacts& facts) {
    texts.clear();
    DeclaredFolder declared;
    declared.names = std::make_shared<TargetNames>(config, controller::Engine::Connections(),
                                                   providers::KnownKinds());
    const auto write = [this](const std::string& /*path*/, const std::string& text) {
      texts.push_back(text);
      return Expected<void>();
    };
    const PolicyImportParts parts{
        config, provider, *providers::FindInventory("cloudnative"), declared, write, {}, {}};
    PolicyImportWish wish;
    wish.layout = *ImportLayout::Parse(ImportLayout::kDefault);
    std::vector<WrittenManifest> written;
    return ImportPolicies(parts, wish, facts, written);
  }

  testing::TempDir dir;
  config::Config config;
  OpenedProvider provider;
  std::vector<std::string> texts;
};

TEST_F(PolicyImportTest, OneNameRemainsInEachOrderAndWithRepetitions) {
  constexpr std::size_t kLongest = 4;
  const NamedPolicy policies[] = {
      {"pubsub:Topic", {"projects/123456/topics/t", "projects/acme/topics/t"}, ""},
      {"pubsub:Topic", {"projects/123456/topics/t", "projects/acme/topics/t"}, "123456"},
      {"iam:ServiceAccount", {kAccountOfId, kAddress}, ""},
      {"iam:ServiceAccount", {kAccountOfNumber, kAccountOfId, kAddress}, ""},
      {"iam:ServiceAccount", {kAccountOfNumber, kAccountOfId, kAddress}, "123456"},
      {"iam:ServiceAccount", {kAccountOfNumber, kAddressOfNumber, kAddress}, ""},
      {"iam:ServiceAccount", {kAccountOfNumber, kAddressOfNumber, kAddress}, "123456"},
  };
  for (const NamedPolicy& policy : policies) {
    for (const std::vector<std::size_t>& order : ListOrders(policy.names.size(), kLongest)) {
      std::string inputs = "project " + policy.number + ":";
      for (const std::size_t at : order) inputs += " " + policy.names[at];
      SCOPED_TRACE(inputs);
      const InventoryFacts facts = MakeFacts(policy, order);
      const access::Places places(facts.containers);
      std::set<std::string> given;
      std::set<std::string> distinct;
      for (const InventoryPolicy& one : facts.policies) {
        given.insert(one.target);
        distinct.insert(places.ById(one.target));
      }
      const auto report = Import(facts);
      ASSERT_THAT(report, IsOk());
      EXPECT_EQ(report->manifests, 1);
      ASSERT_EQ(texts.size(), 1U);
      EXPECT_EQ(report->left_out.size(), distinct.size() - 1);
      for (const LeftOutLine& line : report->left_out) {
        EXPECT_THAT(line.reason, HasSubstr("may be the same policy as that of "));
      }
      const std::string& by_id = policy.names.back();
      if (given.contains(by_id)) {
        EXPECT_THAT(texts.front(), HasSubstr(by_id));
      }
    }
  }
}

TEST_F(PolicyImportTest, AMemberWithoutAFormLeavesTheOthersOfItsRoleIn) {
  struct Case {
    const char* why;
    const char* bindings;
    int manifests;
    int left_out;
    std::size_t lines;
  };
  const Case cases[] = {
      {"an address with a blank",
       R"([{"role": "roles/viewer", "members": ["user:a@example.com", "user:b c@example.com",
                                                "user:d@example.com"]}])",
       2, 1, 1},
      {"a form that is newer than the program",
       R"([{"role": "roles/viewer", "members": ["robot:x@example.com", "user:a@example.com"]},
           {"role": "roles/editor", "members": ["user:a@example.com", "user:d@example.com"]}])",
       2, 1, 1},
      {"under a condition",
       R"([{"role": "roles/pubsub.viewer", "members": ["robot:x", "robot:y", "user:a@example.com"],
            "condition": {"title": "t", "expression": "resource.name == \"x\""}}])",
       1, 2, 2},
      {"nobody else", R"([{"role": "roles/viewer", "members": ["robot:x"]}])", 0, 1, 1},
      {"a role without a form",
       R"([{"role": "viewer", "members": ["user:a@example.com", "user:b@example.com"]}])", 0, 2, 1},
  };
  for (const Case& one : cases) {
    InventoryFacts facts;
    facts.policies.push_back({"//host/projects/acme/topics/t", "host/Type", "pubsub:Topic",
                              "projects/acme/topics/t", "projects/acme", one.bindings});
    const auto report = Import(facts);
    ASSERT_THAT(report, IsOk()) << one.why;
    EXPECT_EQ(report->manifests, one.manifests) << one.why;
    EXPECT_EQ(report->counts.left_out, one.left_out) << one.why;
    EXPECT_EQ(report->left_out.size(), one.lines) << one.why;
    for (const LeftOutLine& line : report->left_out) {
      EXPECT_THAT(line.reason, HasSubstr("no manifest can declare it")) << one.why;
    }
    EXPECT_EQ(report->counts.All(), report->grants) << one.why;
  }
}

}  // namespace
}  // namespace bindery::app
