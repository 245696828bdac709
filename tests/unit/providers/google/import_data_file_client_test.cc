#include "providers/google/clients/import_data_file_client.h"

#include "support/http_impostor.h"
#include "support/matchers.h"

namespace bindery::google {
namespace {

using namespace std::chrono_literals;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::HttpImpostor;
using testing::IsOk;
using ::testing::Not;

constexpr const char* kFileName = "projects/p:q/locations/eu/importJobs/j/importDataFiles/f";
constexpr const char* kFilePath = "/v1/projects/p%3Aq/locations/eu/importJobs/j/importDataFiles/f";

class ImportDataFileClientTest : public ::testing::Test {
 protected:
  Expected<Json> Get() {
    const auto read = ImportDataFileClient::BuildGet(server_.Url(), kFileName, 5s);
    if (!read) return Fail(read.error());
    const auto body = cloud::Send(*read, *transport_, *cloud::StaticBearerToken("t"));
    if (!body) return Fail(body.error());
    return ImportDataFileClient::ParseResponse(*read, *body);
  }

  HttpImpostor server_;
  std::shared_ptr<cloud::Transport> transport_ =
      std::make_shared<cloud::CurlTransport>(cloud::CurlTransportOptions{"bindery/test"});
};

TEST_F(ImportDataFileClientTest, GivesTheDocumentAsItCame) {
  const std::string file =
      R"({"name":"projects/123/locations/eu/importJobs/j/importDataFiles/f","state":"NEW_STATE","uploadFileInfo":{},"unknown":[1]})";
  server_.When("GET", kFilePath).Reply(200, file);
  const auto got = Get();
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->dump(), file);
  EXPECT_EQ(server_.Requests().at(0).target, kFilePath);
  EXPECT_EQ(server_.Requests().at(0).headers.at("authorization"), "Bearer t");
}

TEST_F(ImportDataFileClientTest, TheDocumentOfAnotherFileIsRefused) {
  server_.When("GET", kFilePath).Reply(200, "{}").Times(1);
  EXPECT_THAT(Get(), FailsWith(Code::kInternal, HasSubstr("an import data file without a name")));
  const std::string other = "projects/p/locations/eu/importJobs/j/importDataFiles/other";
  server_.When("GET", kFilePath).Reply(200, R"({"name":")" + other + R"("})");
  EXPECT_THAT(Get(),
              FailsWith(Code::kInternal, HasSubstr("another import data file, \"" + other + "\"")));
}

TEST_F(ImportDataFileClientTest, SaysWhatItLookedForWhenItIsNotThere) {
  server_.When("GET", kFilePath)
      .Reply(404, R"({"error":{"code":404,"message":"gone","status":"NOT_FOUND"}})");
  EXPECT_THAT(Get(), FailsWith(Code::kNotFound,
                               "migrationcenter.get: gone; looked for import data file \"f\" of "
                               "import job \"j\" in location \"eu\" of project \"p:q\"; the import "
                               "job itself may be what is absent"));
}

TEST_F(ImportDataFileClientTest, OnlyNamesOfImportDataFilesAreAskedFor) {
  for (const char* name :
       {"", "f", "projects/p/locations/eu/importJobs/j", "projects/p/locations/eu/importJobs/j/f/g",
        "projects/p/locations/eu/importJobs/../importDataFiles/f",
        "projects/p/locations/eu/importJobs//importDataFiles/f"}) {
    EXPECT_THAT(ImportDataFileClient::BuildGet("http://x", name, 5s), Not(IsOk())) << name;
  }
}

TEST_F(ImportDataFileClientTest, AnAnswerOfAnotherShapeIsAnErrorThatQuotesNothingOfIt) {
  struct Case {
    const char* body;
    const char* told;
  };
  for (const Case& one : {Case{R"({"uploadFileInfo": "SECRET"})", "uploadFileInfo is not an"},
                          Case{R"({"uploadFileInfo": {"headers": "SECRET"}})", "are not a map"},
                          Case{R"({"uploadFileInfo": {"signedUri": "SECRET)", "not JSON"}}) {
    const auto got = ImportDataFileClient::ParseResponse(cloud::PolicyCall{}, one.body);
    EXPECT_THAT(got, FailsWith(Code::kInternal, HasSubstr(one.told)));
    if (!got) {
      EXPECT_THAT(got.error().message, Not(HasSubstr("SECRET")));
    }
  }
}

}  // namespace
}  // namespace bindery::google
