// Datasets: what the kind sends, and what it makes of answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"
#include "support/matchers.h"

namespace bindery::datadog {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::UnorderedElementsAre;

constexpr const char* kPayments =
    R"({"type":"dataset","id":"p-1","attributes":{"name":"Payments","created_at":"2026-01-01",)"
    R"("principals":["role:A","team:t"],"product_filters":[)"
    R"({"product":"logs","filters":["@team:Pay"]},{"product":"apm","filters":["service:pay"]}]}})";
constexpr const char* kSpec =
    R"({"name":"Payments","principals":["role:a","team:t"],"productFilters":[)"
    R"({"product":"apm","filters":["service:pay"]},{"product":"logs","filters":["@team:Pay"]}]})";

class DatasetTest : public ::testing::Test {
 protected:
  DatasetTest() { connection.endpoints = {{"datadog", "http://dog"}}; }

  /// What a list of these datasets says of the one named Payments.
  [[nodiscard]] Expected<reconcilers::Observation> Listed(const std::string& datasets) const {
    const auto read = kind->BuildGet(connection, "Payments", seconds(1));
    return kind->ParseResponse(*read, R"({"data":[)" + datasets + "]}");
  }
  [[nodiscard]] reconcilers::Desired Wants(const char* spec) const {
    reconcilers::Desired desired;
    desired.claims.push_back({"m", *kind->Declare(*ParseJson(spec), "")});
    return desired;
  }
  [[nodiscard]] Expected<cloud::PolicyCall> WriteOf(const reconcilers::Desired& desired,
                                                    const reconcilers::Observation& now) const {
    return kind->BuildSet(connection, "Payments", kind->Plan(desired, now), now, seconds(1));
  }
  cloud::Connection connection;
  std::unique_ptr<reconcilers::Kind> kind = MakeDataset();
};

TEST_F(DatasetTest, EachPrincipalAndEachFilterIsAGrant) {
  const reconcilers::Declaration declared = Wants(kSpec).claims[0].declaration;
  EXPECT_EQ(declared.target, "Payments");
  EXPECT_EQ(declared.role, "*");
  EXPECT_THAT(declared.grants,
              ElementsAre(Grant{"viewer", "role:a"}, Grant{"viewer", "team:t"},
                          Grant{"filter", "apm service:pay"}, Grant{"filter", "logs @team:Pay"}));
}

TEST_F(DatasetTest, OneThatIsNotThereIsCreatedWithTheWholeDocument) {
  const auto seen = Listed("");
  ASSERT_THAT(seen, IsOk());
  EXPECT_FALSE(seen->exists);
  const auto write = WriteOf(Wants(kSpec), *seen);
  ASSERT_THAT(write, IsOk());
  EXPECT_EQ(write->request.method, "POST");
  EXPECT_EQ(write->request.url, "http://dog/api/v2/datasets");
  EXPECT_EQ(write->request.body, R"({"data":{"type":"dataset","attributes":{"name":"Payments",)"
                                 R"("principals":["role:a","team:t"],"product_filters":[)"
                                 R"({"product":"apm","filters":["service:pay"]},)"
                                 R"({"product":"logs","filters":["@team:Pay"]}]}}})");
}

TEST_F(DatasetTest, OrderAndCaseOfPrincipalsAreNoDrift) {
  const auto seen = Listed(kPayments);
  ASSERT_THAT(seen, IsOk());
  const reconcilers::TargetPlan plan = kind->Plan(Wants(kSpec), *seen);
  EXPECT_THAT(plan.drift(), IsEmpty());
  EXPECT_FALSE(plan.writes());
}

TEST_F(DatasetTest, DriftIsRepairedByReplacingThatDataset) {
  const char* spec = R"({"name":"Payments","principals":["role:a"],"productFilters":[)"
                     R"({"product":"logs","filters":["@team:pay"]}]})";
  const auto seen = Listed(kPayments);
  ASSERT_THAT(seen, IsOk());
  const reconcilers::TargetPlan plan = kind->Plan(Wants(spec), *seen);
  EXPECT_THAT(plan.adds(), ElementsAre(Grant{"filter", "logs @team:pay"}))
      << "values of filters have a case";
  EXPECT_THAT(plan.removes(),
              UnorderedElementsAre(Grant{"viewer", "team:t"}, Grant{"filter", "logs @team:Pay"},
                                   Grant{"filter", "apm service:pay"}));
  const auto write = WriteOf(Wants(spec), *seen);
  ASSERT_THAT(write, IsOk());
  EXPECT_EQ(write->request.method, "PUT");
  EXPECT_EQ(write->request.url, "http://dog/api/v2/datasets/p-1");
  EXPECT_EQ(write->request.body, R"({"data":{"type":"dataset","attributes":{"name":"Payments",)"
                                 R"("principals":["role:A"],"product_filters":[)"
                                 R"({"product":"logs","filters":["@team:pay"]}]}}})");
  const std::string answer =
      R"({"data":{"type":"dataset","id":"p-1","attributes":{"name":"Payments",)"
      R"("principals":["role:A"],"product_filters":[{"product":"logs","filters":["@team:pay"]}]}}})";
  const auto stored = kind->ParseResponse(*write, answer);
  ASSERT_THAT(stored, IsOk());
  EXPECT_FALSE(kind->Plan(Wants(spec), *stored).writes());
}

TEST_F(DatasetTest, WithoutAGrantItIsDeleted) {
  const auto seen = Listed(kPayments);
  reconcilers::Desired desired = Wants(kSpec);
  desired.claims[0].treatment = reconcilers::ManagementPolicy::kRemove;
  const auto write = WriteOf(desired, *seen);
  ASSERT_THAT(write, IsOk());
  EXPECT_EQ(write->request.method, "DELETE");
  EXPECT_EQ(write->request.url, "http://dog/api/v2/datasets/p-1");
  for (const std::string& body : {std::string(), write->body_when_absent}) {
    const auto left = kind->ParseResponse(*write, body);
    ASSERT_THAT(left, IsOk());
    EXPECT_FALSE(left->exists);
  }
}

TEST_F(DatasetTest, ARecordedDatasetComesBackWithItsFilters) {
  reconcilers::Desired desired;
  desired.restore = Listed(kPayments)->document;
  const auto gone = Listed("");
  const auto write = WriteOf(desired, *gone);
  ASSERT_THAT(write, IsOk());
  EXPECT_EQ(write->request.method, "POST");
  EXPECT_THAT(write->request.body, HasSubstr(R"("filters":["service:pay"])"));
}

TEST_F(DatasetTest, SeveralOfOneNameAreAnErrorThatNamesTheirIds) {
  std::string other = kPayments;
  other.replace(other.find("p-1"), 3, "p-2");
  const auto seen = Listed(std::string(kPayments) + "," + other);
  EXPECT_THAT(seen, FailsWith(Code::kFailedPrecondition, HasSubstr("p-1, p-2")));
}

TEST_F(DatasetTest, AnAnswerOfAnotherShapeIsNoMissingDataset) {
  const auto read = kind->BuildGet(connection, "Payments", seconds(1));
  for (const char* body :
       {"{}", "[]", R"({"data":{}})", R"({"data":[{}]})",
        R"({"data":[{"type":"x","id":"1","attributes":{"name":"Payments"}}]})",
        R"({"data":[{"type":"dataset","id":"1","attributes":{"name":"Payments"}}]})",
        R"({"data":[{"type":"dataset","id":"1","attributes":{"name":"Payments",
            "principals":[],"product_filters":[{"product":"a b","filters":[]}]}}]})"}) {
    EXPECT_THAT(kind->ParseResponse(*read, body),
                FailsWith(Code::kInternal, HasSubstr("dataset.list")))
        << body;
  }
}

TEST_F(DatasetTest, AnAnswerToAWriteIsThatOfTheDatasetThatWasWritten) {
  const auto write = WriteOf(Wants(kSpec), *Listed(""));
  std::string other = kPayments;
  other.replace(other.find("Payments"), 8, "Orders");
  EXPECT_THAT(kind->ParseResponse(*write, R"({"data":)" + other + "}"),
              FailsWith(Code::kInternal, HasSubstr("Orders")));
}

TEST_F(DatasetTest, ItsInputsDeclareWhatIsThere) {
  const auto inputs = kind->Inputs("Payments", "*", *Listed(kPayments));
  ASSERT_THAT(inputs, IsOk());
  EXPECT_EQ(inputs->dump(),
            R"({"name":"Payments","principals":["role:A","team:t"],"productFilters":[)"
            R"({"product":"logs","filters":["@team:Pay"]},)"
            R"({"product":"apm","filters":["service:pay"]}]})");
  EXPECT_THAT(kind->Inputs("Payments", "*", *Listed("")),
              FailsWith(Code::kNotFound, HasSubstr("there is no dataset")));
}

TEST_F(DatasetTest, TheWholeIsCheckedForWhatTheServiceRefuses) {
  struct Case {
    const char* filters;
    const char* code;
  };
  const Case cases[] = {
      {R"([{"product":"logs","filters":["a:1","b:1"]}])", "SeveralFilterKeys"},
      {R"([{"product":"logs","filters":["a:1","a:1"]}])", "DuplicateFilter"},
      {R"([{"product":"logs","filters":["a:1"]},{"product":"logs","filters":["a:2"]}])",
       "DuplicateProduct"},
      {R"([{"product":"logs","filters":["a:0","a:1","a:2","a:3","a:4","a:5","a:6","a:7","a:8",)"
       R"("a:9","a:10"]}])",
       "TooManyFilters"},
  };
  for (const Case& c : cases) {
    Json spec = {{"name", "x"}, {"principals", {"role:a"}}};
    spec["productFilters"] = *ParseJson(c.filters);
    const auto failures = DatasetSchema().check_all(spec);
    ASSERT_EQ(failures.size(), 1U) << c.code;
    EXPECT_EQ(failures[0].second.code, c.code);
  }
  EXPECT_THAT(DatasetSchema().check_all(*ParseJson(kSpec)), IsEmpty());
}

TEST(DatasetChecks, JudgeEachField) {
  struct Case {
    const char* field;
    const char* text;
    const char* code;  // empty: fine
  };
  const Case cases[] = {
      {"name", "Payments data", ""},
      {"name", " Payments", "BadDatasetName"},
      {"principals", "role:a", ""},
      {"principals", "team:a", ""},
      {"principals", "user:a", "BadPrincipal"},
      {"principals", "org:a", "BadPrincipal"},
      {"principals", "a", "BadPrincipal"},
  };
  for (const Case& c : cases) {
    for (const manifests::Field& field : DatasetSchema().inputs) {
      if (field.name != c.field) continue;
      const auto failure = field.check(c.text);
      EXPECT_EQ(failure ? failure->code : "", c.code) << c.text;
    }
  }
  const manifests::Field& product = DatasetSchema().inputs[2].fields[0];
  const manifests::Field& filters = DatasetSchema().inputs[2].fields[1];
  EXPECT_FALSE(product.check("logs"));
  EXPECT_TRUE(product.check("log")->warning);
  EXPECT_FALSE(product.check("a b")->warning);
  EXPECT_FALSE(filters.check("@team:a b"));
  for (const char* bad : {"team", ":a", "team:", "te am:a"}) EXPECT_TRUE(filters.check(bad)) << bad;
}

}  // namespace
}  // namespace bindery::datadog
