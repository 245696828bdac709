#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/text/base64.h"
#include "server/sign_in.h"
#include "server_fixture.h"
#include "support/bcrypt.h"
#include "yaml/reader.h"

namespace bindery::server {
namespace {

using testing::Fetch;
using testing::HttpResult;

Json LoadDocument() {
  std::ifstream in(std::string(BINDERY_SOURCE_DIR) + "/docs/openapi.yaml", std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  const yaml::ReadResult read = yaml::ReadYaml(text.str());
  EXPECT_TRUE(read.faults.empty()) << (read.faults.empty() ? "" : read.faults.front().message);
  return read.documents.empty() ? Json() : yaml::ToJson(read.documents.front().root);
}

/// As much of JSON Schema as docs/openapi.yaml uses. Members the schema does not list are faults:
/// what is added to an answer is added to its description.
class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& document) : document_(document) {}

  std::vector<std::string> Faults(const Json& schema, const Json& value) {
    faults_.clear();
    Check(schema, value, "");
    return faults_;
  }

 private:
  const Json& Resolved(const Json& schema) const {
    if (!schema.contains("$ref")) return schema;
    return document_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
  }

  static bool IsOfType(const Json& type, const Json& value) {
    if (type.is_array()) {
      return std::any_of(type.begin(), type.end(),
                         [&](const Json& one) { return IsOfType(one, value); });
    }
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return value.type_name() == type;
  }

  bool Fits(const Json& schema, const Json& value) const {
    return SchemaCheck(document_).Faults(schema, value).empty();
  }

  void Check(const Json& reference, const Json& value, const std::string& path) {
    const Json& schema = Resolved(reference);
    if (schema.contains("type") && !IsOfType(schema["type"], value)) {
      faults_.push_back(path + " is a " + value.type_name());
    }
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
      faults_.push_back(path + " is " + value.dump());
    }
    for (const char* choice : {"oneOf", "anyOf"}) {
      if (!schema.contains(choice)) continue;
      const Json& choices = schema[choice];
      if (std::none_of(choices.begin(), choices.end(),
                       [&](const Json& one) { return Fits(one, value); })) {
        faults_.push_back(path + " fits no choice: " + value.dump());
      }
    }
    if (value.is_object()) CheckMembers(schema, value, path);
    if (value.is_array() && schema.contains("items")) {
      for (const Json& item : value) Check(schema["items"], item, path + "[]");
    }
  }

  void CheckMembers(const Json& schema, const Json& value, const std::string& path) {
    for (const Json& name : schema.value("required", Json::array())) {
      if (!value.contains(name.get<std::string>())) {
        faults_.push_back(path + " lacks " + name.dump());
      }
    }
    if (!schema.contains("properties")) return;
    for (const auto& member : value.items()) {
      if (schema["properties"].contains(member.key())) {
        Check(schema["properties"][member.key()], member.value(), path + "/" + member.key());
      } else {
        faults_.push_back(path + " has undescribed \"" + member.key() + "\"");
      }
    }
  }

  const Json& document_;
  std::vector<std::string> faults_;
};

class OpenApi : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    document_ = LoadDocument();
    ASSERT_TRUE(document_.contains("paths"));
    control_.SetHealth({{"loop", true, "", true}});
    control_.SetResult(PlanResult());
    Fill();
  }

  static Json PlanResult() {
    Json change = {{"target", "t"}, {"kind", "k"}, {"action", "none"}, {"adds", Json::array()}};
    change["removes"] = Json::array({{{"role", "r"}, {"member", "m"}}});
    change["resources"] = {"dash"};
    change["note"] = "";
    change["standing"] = "observed";
    change["reported"] = Json::array({{{"class", "missing"},
                                       {"severity", "high"},
                                       {"resource", "dash"},
                                       {"grant", {{"role", "r"}, {"member", "m"}}},
                                       {"desired", "granted"},
                                       {"observed", "absent"}}});
    Json summary = {{"adds", 0}, {"removes", 1}, {"targets", 0}, {"held", 0}};
    for (const char* standing : {"observed", "suspended", "stalled"}) summary[standing] = 0;
    Json plan = {{"changes", Json::array({change})}, {"summary", summary}};
    plan["problems"] = Json::array({{{"file", "a.yaml"},
                                     {"line", 1},
                                     {"column", 2},
                                     {"path", "spec.role"},
                                     {"severity", "error"},
                                     {"code", "UnknownField"},
                                     {"message", "no"},
                                     {"resource", "a"}}});
    plan["loadError"] = "NOT_FOUND: no directory";
    plan["waiting"] = Json::array({{{"resource", "b"}, {"message", "waits"}}});
    plan["errors"] = Json::array({{{"target", "t"}, {"code", "UNAVAILABLE"}, {"message", "away"}}});
    plan["guard"] = {{"held", true}, {"reason", "too many"}};
    return plan;
  }

  /// One of everything, so that no list in an answer is empty.
  void Fill() {
    const Target target{"RestrictionPolicy", "monitoring", "dashboard:a"};
    store::StoreChange change;
    store::ResourceRecord record;
    record.name = "dash";
    record.token = {"monitoring", "RestrictionPolicy"};
    record.target = target;
    record.options = R"({"mode":"observe"})";
    record.labels = R"({"team":"sre"})";
    record.source_file = "a.yaml";
    record.source_line = 1;
    store::ResourceRecord ending = record;
    ending.name = "ending";
    ending.role = "editor";
    ending.accepted = true;
    ending.grants = 1;
    ending.spec = R"j({"condition":{"expression":
        "request.time < timestamp('2026-11-22T00:00:00Z')"}})j";
    ending.status.reason = "PERMISSION_DENIED";
    change.upsert_resources = {record, ending};
    change.problems = {{"a.yaml", 1, 1, "spec", "error", "X", "message", "dash"}};
    DriftItem item;
    item.resource = "dash";
    item.grant = {"editor", "team:t"};
    DriftItem whole;
    whole.drift_class = DriftClass::kTargetMissing;
    change.drift = {{target, clock_.Wall(), {item, whole}, false}};
    change.events = {{clock_.Wall(), EventType::kNormal, "R", "dash", "t", "m", "bindery"}};
    store::RevisionRecord revision;
    revision.target = target;
    revision.time = clock_.Wall() - std::chrono::hours(48);
    revision.digest = "c";
    revision.policy = R"({"data":{"attributes":{"bindings":[
        {"relation":"editor","principals":["team:t"]}]}}})";
    change.revisions = {revision, revision};
    change.revisions[1].time = clock_.Wall();
    change.revisions[1].digest = "d";
    change.revisions[1].policy = "{}";
    store::TargetRecord seen;
    seen.target = target;
    seen.observed = true;
    seen.exists = true;
    seen.policy_digest = "d";
    seen.observed_at = clock_.Wall();
    change.upsert_targets = {seen};
    store::HoldRecord hold;
    hold.digest = "abc";
    hold.created = clock_.Wall();
    hold.state = HoldState::kOpen;
    hold.items = R"([{"target":"t","kind":"k","resources":["dash"],
                      "removes":[{"relation":"editor","principal":"team:t",
                                  "severity":"medium","cause":"manifest"}]}])";
    change.upsert_holds = {hold};
    Apply(change);
  }

  static std::string WithValues(std::string path) {
    // A target's name is within the path of a target.
    const char* name = path.find("{kind}") == std::string::npos ? "dash" : "dashboard:a";
    for (const auto& [name_of, value] :
         {std::pair{"{name}", name}, std::pair{"{check}", "loop"}, std::pair{"{revision}", "2"},
          std::pair{"{kind}", "RestrictionPolicy"}, std::pair{"{file}", "style.css"}}) {
      if (const auto at = path.find(name_of); at != std::string::npos) {
        path.replace(at, std::string(name_of).size(), value);
      }
    }
    return path;
  }

  Json document_;
};

TEST_F(OpenApi, EveryGetAnswersAsDescribed) {
  SchemaCheck check(document_);
  std::size_t checked = 0;
  for (const auto& path : document_["paths"].items()) {
    if (!path.value().contains("get")) continue;
    SCOPED_TRACE(path.key());
    const bool stream = path.key() == "/api/v1/events/stream";  // It does not end.
    const HttpResult result =
        Fetch(stream ? "HEAD" : "GET", "http://" + server_->Address() + WithValues(path.key()));
    ASSERT_EQ(result.status, 200);
    const Json& content = path.value()["get"]["responses"]["200"].value("content", Json::object());
    if (!content.contains("application/json")) continue;
    EXPECT_EQ(result.Header("Content-Type"), "application/json");
    const auto body = ParseJson(result.body);
    ASSERT_THAT(body, testing::IsOk());
    EXPECT_THAT(check.Faults(content["application/json"]["schema"], *body), ::testing::IsEmpty());
    ++checked;
  }
  EXPECT_EQ(checked, 19U);
}

TEST_F(OpenApi, EveryPostIsThereAndRefusedOverTcp) {
  SchemaCheck check(document_);
  std::size_t checked = 0;
  for (const auto& path : document_["paths"].items()) {
    if (!path.value().contains("post")) continue;
    SCOPED_TRACE(path.key());
    const HttpResult result = OverTcp("POST", path.key(), "{}");
    EXPECT_EQ(result.status, 403);
    EXPECT_EQ(Get(path.key()).status, path.value().contains("get") ? 200 : 405);
    if (path.key().starts_with("/actions/")) continue;
    EXPECT_THAT(check.Faults(document_["components"]["schemas"]["Error"],
                             ParseJson(result.body).value_or(Json())),
                ::testing::IsEmpty());
    ++checked;
  }
  EXPECT_EQ(checked, 10U);
}

TEST_F(OpenApi, SaysOfEveryOperationWhoMayDoIt) {
  const Json signed_in =
      Json::array({{{"password", Json::array()}}, {{"certificate", Json::array()}}});
  EXPECT_EQ(document_["security"].size(), 3U);
  EXPECT_EQ(document_["security"][0], Json::object()) << "reading, where there are no users";
  for (const auto& scheme : document_["security"][1].items()) {
    EXPECT_TRUE(document_["components"]["securitySchemes"].contains(scheme.key()));
  }
  for (const auto& path : document_["paths"].items()) {
    for (const auto& operation : path.value().items()) {
      SCOPED_TRACE(operation.key() + " " + path.key());
      const bool changes = operation.key() == "post";
      EXPECT_EQ(operation.value().value("security", Json()), changes ? signed_in : Json());
      for (const char* status : {"401", "429"}) {
        EXPECT_TRUE(operation.value()["responses"].contains(status)) << status;
      }
    }
  }
}

/// What is answered in place of anything else fits its description.
void ExpectAsDescribed(const Json& response, const HttpResult& result) {
  EXPECT_TRUE(response["content"].contains("text/plain"));
  EXPECT_THAT(result.Header("Content-Type"), ::testing::StartsWith("text/plain"));
  for (const auto& header : response["headers"].items()) {
    const std::string value = result.Header(header.key());
    EXPECT_NE(value, "") << header.key();
    const Json& schema = header.value()["schema"];
    if (schema.contains("const")) {
      EXPECT_EQ(value, schema["const"]);
    }
  }
}

TEST_F(OpenApi, WhoIsNotKnownAndWhoGuessesIsAnsweredAsDescribed) {
  dir_.Write("web.yml", "basic_auth_users: {ana: " + testing::Bcrypt("sesame") + "}\n");
  ApiOptions options;
  options.listen = "127.0.0.1:0";
  options.web_config = dir_ / "web.yml";
  auto started = ApiServer::Start(options, Parts());
  ASSERT_THAT(started, testing::IsOk());
  server_ = std::move(*started);
  const Json& responses = document_["components"]["responses"];
  const HttpResult unknown = OverTcp("POST", "/api/v1/reconcile", "{}");
  EXPECT_EQ(unknown.status, 401);
  ExpectAsDescribed(responses["Unauthorized"], unknown);
  const std::string guess = "Basic " + EncodeBase64("ana:guess");
  HttpResult guessed;
  for (int i = 0; i <= SignIn::kMostFailures; ++i) {
    guessed = Fetch("GET", "http://" + server_->Address() + "/api/v1", {{"Authorization", guess}});
  }
  EXPECT_EQ(guessed.status, 429);
  ExpectAsDescribed(responses["Busy"], guessed);
}

TEST_F(OpenApi, DescribesEveryRouteAndNoOther) {
  std::vector<std::string> described;
  for (const auto& path : document_["paths"].items()) {
    if (path.value().contains("get")) described.push_back("GET " + path.key());
    if (path.value().contains("post")) described.push_back("POST " + path.key());
  }
  std::vector<std::string> served;
  for (std::string route : server_->Routes()) {
    // The sign-in of browsers follows OpenID Connect, and is no part of the API.
    if (route.find(" /auth/") != std::string::npos) continue;
    // A name that may hold slashes.
    if (const auto at = route.find("...}"); at != std::string::npos) route.erase(at, 3);
    served.push_back(std::move(route));
  }
  EXPECT_THAT(served, ::testing::UnorderedElementsAreArray(described));
}

TEST_F(OpenApi, EveryQueryWithALimitAnswersAsDescribed) {
  SchemaCheck check(document_);
  for (const auto& [path, name] :
       {std::pair{"resources", "Resources"}, std::pair{"targets", "Targets"},
        std::pair{"drift", "Drift"}, std::pair{"problems", "Problems"},
        std::pair{"access", "Access"}}) {
    SCOPED_TRACE(path);
    const Json answer = GetJson("/api/v1/" + std::string(path) + "?limit=1&offset=0");
    EXPECT_THAT(check.Faults(document_["components"]["schemas"][name], answer),
                ::testing::IsEmpty());
    EXPECT_EQ(answer["limit"], 1);
  }
}

TEST_F(OpenApi, TheSchemaCheckOfThisTestFindsFaults) {
  SchemaCheck check(document_);
  const Json& plan = document_["components"]["schemas"]["Plan"];
  Json result = PlanResult();
  EXPECT_THAT(check.Faults(plan, result), ::testing::IsEmpty());
  result["changes"][0]["action"] = "destroy";
  result["changes"][0]["colour"] = "red";
  result["summary"]["adds"] = "none";
  result["summary"].erase("targets");
  EXPECT_THAT(check.Faults(plan, result),
              ::testing::ElementsAre("/changes[]/action is \"destroy\"",
                                     "/changes[] has undescribed \"colour\"",
                                     "/summary lacks \"targets\"", "/summary/adds is a string"));
}

}  // namespace
}  // namespace bindery::server
