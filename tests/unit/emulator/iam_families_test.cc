// Requests for the policies of services that differ from the two of the interface: each form with
// its verbs, its place of the version and its fields, and what it refuses.

#include <string>
#include <vector>

#include "unit/emulator/emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFamilySeed = R"(
iamPolicies:
  //pubsub.googleapis.com/projects/acme/topics/orders: &policy
    bindings:
      - role: roles/example.reader
        members: ["user:ana@example.com"]
        condition: {title: t, expression: "true"}
  //compute.googleapis.com/projects/acme/zones/eu-b/instances/web: *policy
  //dns.googleapis.com/projects/acme/managedZones/example: *policy
  //spanner.googleapis.com/projects/acme/instances/main: *policy
  //iam.googleapis.com/projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com: *policy
  //aiplatform.googleapis.com/projects/acme/locations/eu/endpoints/42: *policy
  //storage.googleapis.com/projects/_/buckets/data: *policy
)";

/// How the services with one form of requests take them.
struct Family {
  const char* description;
  std::string resource;  ///< URL path up to the method.
  std::string get_end;
  std::string set_end;
  const char* get;
  const char* set;
  const char* place;  ///< Of the requested version: the query parameter, "" for the body.
  bool update_mask;
  int conflict;
};

const std::vector<Family>& Families() {
  static const std::string kGetEnd = ":getIamPolicy";
  static const std::string kSetEnd = ":setIamPolicy";
  static const char* const kDotted = "options.requestedPolicyVersion";
  static const char* const kFlat = "optionsRequestedPolicyVersion";
  static const std::vector<Family> kFamilies = {
      {"GET, no mask", "/pubsub.googleapis.com/v1/projects/acme/topics/orders", kGetEnd, kSetEnd,
       "GET", "POST", kDotted, false, 409},
      {"a path per method",
       "/compute.googleapis.com/compute/v1/projects/acme/zones/eu-b/instances/web", "/getIamPolicy",
       "/setIamPolicy", "GET", "POST", kFlat, false, 409},
      {"POST with a mask", "/dns.googleapis.com/dns/v1/projects/acme/managedZones/example", kGetEnd,
       kSetEnd, "POST", "POST", "", true, 409},
      {"POST, no mask", "/spanner.googleapis.com/v1/projects/acme/instances/main", kGetEnd, kSetEnd,
       "POST", "POST", "", false, 409},
      {"POST without a body",
       "/iam.googleapis.com/v1/projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com",
       kGetEnd, kSetEnd, "POST", "POST", kDotted, true, 409},
      {"POST without a body, no mask",
       "/eu-aiplatform.googleapis.com/v1beta1/projects/acme/locations/eu/endpoints/42", kGetEnd,
       kSetEnd, "POST", "POST", kDotted, false, 409},
      {"a bare policy", "/storage.googleapis.com/storage/v1/b/data", "/iam", "/iam", "GET", "PUT",
       kFlat, false, 412}};
  return kFamilies;
}

class IamFamilies : public EmulatorTest {
 protected:
  void SetUp() override { Run(kFamilySeed); }

  /// A read that states version 3 at that place, as `Family::place`.
  Json ReadAt(const Family& family, const std::string& place, int status) {
    const std::string path = family.resource + family.get_end;
    if (place.empty()) {
      return Call(family.get, path, status, R"({"options": {"requestedPolicyVersion": 3}})");
    }
    return Call(family.get, path + "?" + place + "=3", status);
  }
  /// Some of the services have errors without a status name.
  static std::string Message(const Json& answer) {
    return StringMember(answer.value("error", Json::object()), "message");
  }
};

TEST_F(IamFamilies, ShowConditionsWhereTheVersionIsStatedAtItsPlace) {
  for (const Family& family : Families()) {
    SCOPED_TRACE(family.description);
    EXPECT_TRUE(ReadAt(family, family.place, 200).at("bindings").at(0).contains("condition"));
    if (family.conflict == 412) {
      // Storage does not show them to clients of version 1.
      (void)Call(family.get, family.resource + family.get_end, 400);
      continue;
    }
    const Json plain = Call(family.get, family.resource + family.get_end, 200);
    EXPECT_FALSE(plain.at("bindings").at(0).contains("condition"));
  }
}

/// What recorded exchanges with single services show.
TEST_F(IamFamilies, SomeShowConditionsToReadersOfAnyVersion) {
  const std::string policy =
      ": {bindings: [{role: roles/x, members: [\"user:ana@example.com\"], "
      "condition: {title: t, expression: \"true\"}}]}\n";
  RunAfresh("iamPolicies:\n  //bigtableadmin.googleapis.com/projects/acme/instances/main" + policy +
            "  //bigquery.googleapis.com/projects/acme/datasets/d/tables/t" + policy +
            "  //spanner.googleapis.com/projects/acme/instances/main" + policy);
  const struct {
    const char* resource;
    bool shown;
    int written;  ///< The status of a write of conditions without a version.
  } cases[] = {
      {"/bigtableadmin.googleapis.com/v2/projects/acme/instances/main", true, 400},
      {"/bigquery.googleapis.com/bigquery/v2/projects/acme/datasets/d/tables/t", true, 200},
      {"/spanner.googleapis.com/v1/projects/acme/instances/main", false, 400},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.resource);
    const std::string resource = one.resource;
    const Json read = Call("POST", resource + ":getIamPolicy", 200, "{}");
    EXPECT_EQ(read.at("bindings").at(0).contains("condition"), one.shown) << read.dump();
    const Json body = {
        {"policy", {{"bindings", {Conditional("roles/y", {"user:bob@example.com"}, "true")}}}}};
    const Json written = Call("POST", resource + ":setIamPolicy", one.written, body.dump());
    if (one.written != 200) continue;
    EXPECT_TRUE(written.at("bindings").at(0).contains("condition"));
  }
}

TEST_F(IamFamilies, CaServiceTakesTheNameInTheBodyToo) {
  RunAfresh(
      "iamPolicies:\n"
      "  //privateca.googleapis.com/projects/acme/locations/eu/caPools/pool: {bindings: []}\n"
      "  //pubsub.googleapis.com/projects/acme/topics/orders: {bindings: []}\n");
  const auto body = [](const std::string& name) {
    return Json{{"resource", name},
                {"policy", {{"bindings", {Binding("roles/x", {"user:ana@example.com"})}}}}}
        .dump();
  };
  const std::string pool = "projects/acme/locations/eu/caPools/pool";
  (void)Call("POST", "/privateca.googleapis.com/v1/" + pool + ":setIamPolicy", 200, body(pool));
  const std::string topic = "projects/acme/topics/orders";
  (void)Call("POST", "/pubsub.googleapis.com/v1/" + topic + ":setIamPolicy", 400, body(topic));
}

/// Versions of an API that no discovery document describes.
TEST_F(IamFamilies, GcloudsVersionsReachTheSamePolicies) {
  RunAfresh(
      "iamPolicies:\n"
      "  //dns.googleapis.com/projects/acme/managedZones/example: {bindings: []}\n"
      "  //securitycenter.googleapis.com/organizations/1/sources/2: {bindings: []}\n");
  const struct {
    const char* of_gcloud;
    const char* described;
    const char* unknown;
  } cases[] = {
      {"/dns.googleapis.com/dns/v2/projects/acme/locations/global/managedZones/example",
       "/dns.googleapis.com/dns/v1/projects/acme/managedZones/example",
       "/dns.googleapis.com/dns/v2/projects/acme/managedZones/example"},
      {"/securitycenter.googleapis.com/v2/organizations/1/sources/2",
       "/securitycenter.googleapis.com/v1/organizations/1/sources/2",
       "/securitycenter.googleapis.com/v3/organizations/1/sources/2"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.of_gcloud);
    const Json body = {
        {"policy", {{"version", 3}, {"bindings", {Binding("roles/x", {"user:ana@example.com"})}}}},
        {"updateMask", "bindings,etag,version"}};
    const Json written =
        Call("POST", one.of_gcloud + std::string(":setIamPolicy"), 200, body.dump());
    const char* const read = R"({"options": {"requestedPolicyVersion": 3}})";
    for (const char* resource : {one.of_gcloud, one.described}) {
      EXPECT_EQ(Call("POST", resource + std::string(":getIamPolicy"), 200, read), written);
    }
    (void)Call("POST", one.unknown + std::string(":getIamPolicy"), 404, read);
  }
}

TEST_F(IamFamilies, RefuseOnProjectsWhatTheseDoNotTake) {
  const Json condition = {{"title", "t"}, {"expression", "true"}};
  const std::pair<Json, std::string> cases[] = {
      {{{"role", "roles/browser"}, {"members", {"allUsers"}}},
       "Member allUsers is not supported for this resource."},
      {{{"role", "roles/browser"}, {"members", {"allAuthenticatedUsers"}}},
       "Member allAuthenticatedUsers is not supported for this resource."},
      {{{"role", "projects/other/roles/x"}, {"members", {"user:a@example.com"}}},
       "Role (projects/other/roles/x) does not exist in the resource's hierarchy."},
      {{{"role", "roles/viewer"}, {"members", {"user:a@example.com"}}, {"condition", condition}},
       "LintValidationUnits/BindingRoleAllowConditionCheck Error: Conditions can't be set on "
       "primitive roles."},
  };
  for (const auto& [binding, text] : cases) {
    const Json request = {{"policy", {{"version", 3}, {"bindings", {binding}}}}};
    const Json refusal =
        Call("POST", "/cloudresourcemanager.googleapis.com/v3/projects/acme:setIamPolicy", 400,
             request.dump());
    EXPECT_EQ(Message(refusal), text);
    EXPECT_EQ(StringMember(refusal.at("error"), "status"), "INVALID_ARGUMENT");
  }
}

TEST_F(IamFamilies, RefuseOtherVerbs) {
  for (const Family& family : Families()) {
    SCOPED_TRACE(family.description);
    for (const std::string verb : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
      const bool one_path = family.get_end == family.set_end;
      if (verb != family.get && !(one_path && verb == family.set)) {
        EXPECT_EQ(Send(verb, family.resource + family.get_end).status, 404) << verb;
      }
      if (verb != family.set && !(one_path && verb == family.get)) {
        EXPECT_EQ(Send(verb, family.resource + family.set_end, {}, "{}").status, 404) << verb;
      }
    }
  }
}

TEST_F(IamFamilies, TestPermissionsOfTheQueryWhereTheMethodHasNoBody) {
  const std::string path =
      "/eu-aiplatform.googleapis.com/v1beta1/projects/acme/locations/eu/endpoints/42:"
      "testIamPermissions";
  const std::string permission = "aiplatform.endpoints.getIamPolicy";
  const Json body = {{"permissions", {permission}}};
  EXPECT_EQ(Call("POST", path + "?permissions=" + permission, 200), body);
  EXPECT_THAT(Message(Call("POST", path, 400, body.dump())),
              HasSubstr("Unknown name \"permissions\""));
  const std::string other =
      "/pubsub.googleapis.com/v1/projects/acme/topics/orders:testIamPermissions";
  EXPECT_EQ(Call("POST", other, 200, body.dump()), body);
  EXPECT_THAT(Message(Call("POST", other + "?permissions=" + permission, 400)),
              HasSubstr("Unknown name \"permissions\""));
}

}  // namespace
}  // namespace bindery::emulator
