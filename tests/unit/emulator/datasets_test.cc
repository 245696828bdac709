#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;
using testing::HttpResult;

constexpr const char* kDatasetsPath = "/api/v2/datasets";
constexpr const char* kSeededDataset = R"(
datasets:
  - id: 5d1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001
    name: Payments
    principals: ["role:1"]
    productFilters: [{product: logs, filters: ["@team:pay"]}]
)";
constexpr const char* kSeededPath = "/api/v2/datasets/5d1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001";

class DatasetsTest : public EmulatorTest {
 protected:
  static Json Document(const std::string& name, const Json& filters,
                       const Json& principals = {"role:1"}) {
    return Json{{"data",
                 {{"type", "dataset"},
                  {"attributes",
                   {{"name", name}, {"principals", principals}, {"product_filters", filters}}}}}};
  }
  static Json Logs(const std::vector<std::string>& filters) {
    return Json::array({Json{{"product", "logs"}, {"filters", filters}}});
  }
};

TEST_F(DatasetsTest, OneIsCreatedReplacedAndDeleted) {
  const std::string body = Document("Payments", Logs({"@team:pay"})).dump();
  const Json created = Call("POST", kDatasetsPath, 200, body).at("data");
  EXPECT_EQ(created.at("type"), "dataset");
  EXPECT_EQ(created.at("attributes").at("product_filters").dump(),
            R"([{"product":"logs","filters":["@team:pay"]}])");
  EXPECT_EQ(created.at("attributes").at("created_at"), "2026-11-21T00:00:00.000Z");
  const std::string path = std::string(kDatasetsPath) + "/" + created.at("id").get<std::string>();
  EXPECT_EQ(Call("GET", kDatasetsPath, 200).at("data").at(0), created);
  EXPECT_EQ(Call("GET", path, 200).at("data"), created);

  clock_.Advance(std::chrono::hours(1));
  const Json replaced =
      Call("PUT", path, 200, Document("Payments", Logs({"@team:pay", "@team:card"})).dump())
          .at("data");
  EXPECT_EQ(replaced.at("id"), created.at("id"));
  EXPECT_EQ(replaced.at("attributes").at("created_at"), "2026-11-21T00:00:00.000Z");
  EXPECT_EQ(replaced.at("attributes").at("product_filters").at(0).at("filters").size(), 2U);

  const HttpResult deleted = Send("DELETE", path);
  EXPECT_EQ(deleted.status, 204);
  EXPECT_EQ(deleted.body, "");
  for (const char* method : {"GET", "DELETE"}) {
    EXPECT_THAT(Call(method, path, 404).dump(), HasSubstr("no dataset has the id"));
  }
  Call("PUT", path, 404, body);
  EXPECT_TRUE(Call("GET", kDatasetsPath, 200).at("data").empty());
  EXPECT_NE(Call("POST", kDatasetsPath, 200, body).at("data").at("id"), created.at("id"))
      << "ids are never used twice";
}

TEST_F(DatasetsTest, PrincipalsHaveToExistWhereTheyAreChecked) {
  Run(std::string(kSeed) + "roles: [{id: r1, name: R}]\noptions: {checkPrincipals: true}\n");
  const Json filters = Logs({"@team:pay"});
  Call("POST", kDatasetsPath, 400, Document("Payments", filters, {"role:r1", "role:no"}).dump());
  Call("POST", kDatasetsPath, 200, Document("Payments", filters, {"role:r1"}).dump());
}

TEST_F(DatasetsTest, WhatTheServiceDocumentsToRefuseIsRefused) {
  Run(std::string(kSeed) + kSeededDataset);
  struct Case {
    Json document;
    int status;
    const char* text;
  };
  std::vector<std::string> many;
  for (int i = 0; i < 11; ++i) many.push_back("a:" + std::to_string(i));
  const Case cases[] = {
      {Json::object(), 400, "data"},
      {Document("", Logs({"a:1"})), 400, "name"},
      {Document("x", Json::array()), 400, "product_filters"},
      {Document("x", Logs({"a"})), 400, "key:value"},
      {Document("x", Logs({"a:1", "a:1"})), 400, "is not unique"},
      {Document("x", Logs({"a:1", "b:1"})), 400, "only one tag key"},
      {Document("x", Logs(many)), 400, "at most 10"},
      {Document("x", Logs({"a:1"}), {"user:1"}), 400, "neither a role nor a team"},
      {Document("x", Logs({"@team:pay"})), 400, "is used by the dataset"},
      {Document("Payments", Logs({"a:1"})), 409, "already exists"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(Call("POST", kDatasetsPath, c.status, c.document.dump()).at("errors").dump(),
                HasSubstr(c.text));
  }
  Call("POST", kDatasetsPath, 400, "{");
  EXPECT_EQ(Call("GET", kDatasetsPath, 200).at("data").size(), 1U);
}

TEST_F(DatasetsTest, ADeletedOneStaysDeletedOverARestartWithItsSeed) {
  Run(std::string(kSeed) + kSeededDataset);
  EXPECT_EQ(Call("GET", kSeededPath, 200).at("data").at("attributes").at("name"), "Payments");
  Send("DELETE", kSeededPath);
  Run(std::string(kSeed) + kSeededDataset);
  Call("GET", kSeededPath, 404);
}

TEST_F(DatasetsTest, TheStateIsASeedAgain) {
  Run(std::string(kSeed) + kSeededDataset);
  const Json before = Call("GET", kDatasetsPath, 200);
  const Json state = Call("GET", "/_emulator/seed", 200);
  EXPECT_EQ(state.at("datasets").size(), 1U);
  Call("PUT", "/_emulator/seed", 200, state.dump());
  EXPECT_EQ(Call("GET", kDatasetsPath, 200), before);
}

TEST_F(DatasetsTest, KeysCountAsForAllOfTheService) {
  Run(std::string(kSeed) + kSeededDataset +
      "credentials:\n  - {apiKey: a, appKey: reader, permissions: [dataset.list]}\n");
  const testing::HttpHeaders keys = {{"DD-API-KEY", "a"}, {"DD-APPLICATION-KEY", "reader"}};
  EXPECT_EQ(Send("GET", kDatasetsPath).status, 403);
  EXPECT_EQ(Send("GET", kDatasetsPath, keys).status, 200);
  EXPECT_EQ(Send("DELETE", kSeededPath, keys).status, 403);
}

}  // namespace
}  // namespace bindery::emulator
