// The lookups of roles, teams and users: which of the entries of a search is meant.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cloud/call_sequence.h"
#include "providers/datadog/clients/principal_client.h"
#include "providers/datadog/provider.h"
#include "support/matchers.h"

namespace bindery::datadog {
namespace {

using std::chrono::seconds;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

constexpr const char* kBase = "https://api.datadoghq.eu";

cloud::Connection ToDatadog() {
  cloud::Connection connection;
  connection.endpoints = {{kDatadogService, kBase}};
  return connection;
}

Json Entry(const char* type, const std::string& id, Json attributes) {
  return Json{{"type", type},
              {"id", id},
              {"attributes", std::move(attributes)},
              {"relationships", {{"permissions", {{"data", Json::array()}}}}}};
}
Json Role(const std::string& id, const std::string& name) {
  return Entry("roles", id, {{"name", name}, {"user_count", 3}});
}
Json Team(const std::string& id, const std::string& handle) {
  return Entry("team", id, {{"handle", handle}, {"name", "Team " + handle}});
}
Json User(const std::string& id, const std::string& email, Json more = Json::object()) {
  Json attributes = {{"email", email}, {"name", "Ana"}, {"title", nullptr}};
  attributes.update(more);
  return Entry("users", id, std::move(attributes));
}

std::string Page(const std::vector<Json>& entries) {
  return Json{{"data", entries},
              {"included", Json::array({{{"type", "permissions"}, {"id", "p"}}})},
              {"meta", {{"page", {{"total_count", 4472}}}}}}
      .dump();
}

struct Found {
  std::string outputs;
  std::string note;
};

/// What the lookup of that key makes of an answer: its outputs, or "CODE: message".
Found FindPrincipal(const std::unique_ptr<reconcilers::Kind>& kind, const std::string& key,
                    const std::string& body) {
  const auto id = kind->ParseId(key, "");
  if (!id) return {ToString(id.error()), ""};
  const auto read = kind->BuildGet(ToDatadog(), id->target, seconds(30));
  if (!read) return {ToString(read.error()), ""};
  const auto seen = kind->ParseResponse(*read, body);
  if (!seen) return {ToString(seen.error()), ""};
  return {kind->Outputs(id->target, *seen).dump(), seen->note};
}

TEST(PrincipalLookups, AskForOneNameInPages) {
  const auto url = [](const std::unique_ptr<reconcilers::Kind>& kind, const Json& spec) {
    const auto declared = kind->Declare(spec, "");
    const auto read = kind->BuildGet(ToDatadog(), declared->target, seconds(30));
    EXPECT_EQ(read->request.method, "GET");
    EXPECT_EQ(read->request.operation, "list");
    return read->request.url;
  };
  const auto pages = [](const char* size) {
    return std::string("&sort=name&page%5Bsize%5D=") + size + "&page%5Bnumber%5D=0";
  };
  EXPECT_EQ(url(MakeGetRole(), {{"name", "R&D / on-call"}}),
            kBase + std::string("/api/v2/roles?filter=R%26D%20%2F%20on-call") + pages("25"));
  EXPECT_EQ(url(MakeGetTeam(), {{"handle", "sre"}}),
            kBase + std::string("/api/v2/team?filter%5Bkeyword%5D=sre") + pages("100"));
  EXPECT_EQ(url(MakeGetUser(), {{"email", "Ana+dd@Example.com"}}),
            kBase + std::string("/api/v2/users?filter=ana%2Bdd%40example.com") + pages("25"));
}

TEST(PrincipalLookups, TakeTheEntryOfExactlyThatName) {
  struct Case {
    const char* what;
    std::unique_ptr<reconcilers::Kind> (*kind)();
    const char* key;
    std::vector<Json> listed;
    const char* outputs;
  };
  const std::vector<Case> cases = {
      {"a role",
       MakeGetRole,
       "Viewer",
       {Role("1", "Payments Viewer"), Role("2", "viewer"), Role("3", "Viewer")},
       R"({"id":"3"})"},
      {"a single role of another name",
       MakeGetRole,
       "Viewer",
       {Role("1", "Payments Viewer")},
       "NOT_FOUND: there is no role named \"Viewer\""},
      {"a role in another case",
       MakeGetRole,
       "Viewer",
       {Role("2", "viewer")},
       "NOT_FOUND: there is no role named \"Viewer\", did you mean \"viewer\"?"},
      {"no role", MakeGetRole, "Viewer", {}, "NOT_FOUND: there is no role named \"Viewer\""},
      {"two roles",
       MakeGetRole,
       "Viewer",
       {Role("1", "Viewer"), Role("2", "Viewer")},
       "FAILED_PRECONDITION: there are 2 roles named \"Viewer\": 1, 2; write \"role:ID\" with the "
       "id of one of them instead"},
      {"a role that is on two pages",
       MakeGetRole,
       "Viewer",
       {Role("1", "Viewer"), Role("1", "Viewer")},
       R"({"id":"1"})"},
      {"a team",
       MakeGetTeam,
       "sre",
       {Team("1", "data-sre"), Team("2", "sre"), Team("3", "sre-eu")},
       R"({"id":"2","name":"Team sre"})"},
      {"a team by its name",
       MakeGetTeam,
       "engineering",
       {Team("1", "data-engineering")},
       "NOT_FOUND: there is no team with the handle \"engineering\""},
      {"a user in any case",
       MakeGetUser,
       "Ana@Example.com",
       {User("1", "joana@example.com"), User("2", "ANA@example.com"),
        User("3", "ana@example.com.br")},
       R"({"id":"2","name":"Ana","disabled":false})"},
      {"no user",
       MakeGetUser,
       "ana@example.com",
       {User("1", "joana@example.com")},
       "NOT_FOUND: there is no user with the e-mail address \"ana@example.com\", did you mean "
       "\"joana@example.com\"?"},
      {"a person beside its service accounts",
       MakeGetUser,
       "ana@example.com",
       {User("1", "ana@example.com", {{"service_account", true}}), User("2", "ana@example.com")},
       R"({"id":"2","name":"Ana","disabled":false})"},
      {"service accounts alone",
       MakeGetUser,
       "ana@example.com",
       {User("1", "ana@example.com", {{"service_account", true}})},
       "NOT_FOUND: there is no user with the e-mail address \"ana@example.com\"; service accounts "
       "are not looked up by address: write \"user:ID\" with the id of one of those with this "
       "address: 1"},
      {"a person who came back",
       MakeGetUser,
       "ana@example.com",
       {User("1", "ana@example.com", {{"disabled", true}}), User("2", "ana@example.com")},
       R"({"id":"2","name":"Ana","disabled":false})"},
      {"two users",
       MakeGetUser,
       "ana@example.com",
       {User("1", "ana@example.com"), User("2", "ana@example.com")},
       "FAILED_PRECONDITION: there are 2 users with the e-mail address \"ana@example.com\": 1, 2; "
       "write \"user:ID\" with the id of one of them instead"},
  };
  for (const Case& test : cases) {
    const Found found = FindPrincipal(test.kind(), test.key, Page(test.listed));
    EXPECT_EQ(found.outputs, test.outputs) << test.what;
    EXPECT_EQ(found.note, "") << test.what;
  }
}

TEST(PrincipalLookups, ADisabledUserIsFoundWithANote) {
  const Found found = FindPrincipal(MakeGetUser(), "ana@example.com",
                                    Page({User("1", "ana@example.com", {{"disabled", true}})}));
  EXPECT_EQ(found.outputs, R"({"id":"1","name":"Ana","disabled":true})");
  EXPECT_EQ(found.note, "the user is disabled: no access takes effect until it is enabled");
}

TEST(PrincipalLookups, AnAnswerOfAnotherShapeIsNoAnswer) {
  const std::string no_list = "answered with something that is not a list of roles";
  const std::string no_role = "answered with a list with something that is not a role";
  const std::pair<std::string, std::string> cases[] = {
      {"", no_list},
      {"<html>", no_list},
      {"[]", no_list},
      {R"({"data": {}})", no_list},
      {R"({"data": [{"type": "roles", "id": "1", "id": "2", "attributes": {"name": "Viewer"}}]})",
       no_list},
      {R"({"data": [], "meta": {"page": {"total": 1, "total": 0}}})", no_list},
      {R"({"data": [7]})", no_role},
      {Page({Role("", "Viewer")}), no_role},
      {Page({User("1", "Viewer")}), no_role},
      {R"({"data": [{"type": "roles", "id": "1"}]})", no_role},
      {Page({Role("1", "Viewer")}) + cloud::kAnswerSeparator, no_list},
  };
  for (const auto& [body, said] : cases) {
    EXPECT_THAT(FindPrincipal(MakeGetRole(), "Viewer", body).outputs,
                AllOf(HasSubstr("INTERNAL: roles.list "), HasSubstr(said)))
        << body;
  }
}

TEST(PrincipalLookups, GoOnAfterAFullPage) {
  cloud::PolicyCall read = BuildListCall(RoleList(), kBase, "a", seconds(30));
  const std::string page_without_number = read.request.url.substr(0, read.request.url.size() - 1);
  std::vector<Json> roles;
  for (int i = 0; i < 25; ++i) roles.push_back(Role(std::to_string(i), "a" + std::to_string(i)));
  std::string first = Page(roles);
  for (const char* next : {"1", "2"}) {
    EXPECT_TRUE(read.sequence->Take(read, first));
    EXPECT_EQ(read.request.url, page_without_number + next);
  }
  roles.pop_back();
  for (std::string last : {Page(roles), Page({}), std::string("<html>"), std::string()}) {
    EXPECT_FALSE(read.sequence->Take(read, last));
  }
  const std::string all = first + cloud::kAnswerSeparator + Page({Role("x", "Viewer")});
  EXPECT_EQ(FindPrincipal(MakeGetRole(), "Viewer", all).outputs, R"({"id":"x"})");
}

TEST(PrincipalLookups, KeepOfAPageOnlyWhatIsNeeded) {
  cloud::PolicyCall read = BuildListCall(UserList(), kBase, "a", seconds(30));
  std::string page =
      Page({User("1", "ana@example.com", {{"disabled", true}, {"icon", "https://"}})});
  EXPECT_FALSE(read.sequence->Take(read, page));
  EXPECT_EQ(page, R"({"data":[{"type":"users","id":"1","attributes":{"email":"ana@example.com",)"
                  R"("name":"Ana","disabled":true}}]})");
  std::string other = "<html>";
  EXPECT_FALSE(read.sequence->Take(read, other));
  EXPECT_EQ(other, "<html>");
}

TEST(PrincipalLookups, AreAdoptedByWhatTheyAreCalled) {
  const auto role = MakeGetRole();
  reconcilers::Observation seen;
  EXPECT_THAT(role->Inputs("Viewer", "", seen),
              FailsWith(Code::kNotFound, "there is no role named \"Viewer\""));
  seen.exists = true;
  EXPECT_EQ(role->Inputs("Viewer", "", seen)->dump(), R"({"name":"Viewer"})");
  EXPECT_EQ(MakeGetTeam()->Inputs("sre", "", seen)->dump(), R"({"handle":"sre"})");
  const auto user = MakeGetUser();
  EXPECT_EQ(user->ParseId("Ana@Example.com", "")->target, "ana@example.com");
  EXPECT_THAT(user->ParseId("ana", ""), FailsWith(Code::kInvalidArgument, HasSubstr("e-mail")));
  EXPECT_EQ(user->Inputs("ana@example.com", "", seen)->dump(), R"({"email":"ana@example.com"})");
  EXPECT_FALSE(user->traits().names_are_global) << "another organization has other users";
}

}  // namespace
}  // namespace bindery::datadog
