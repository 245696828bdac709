#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

class ImportDataFileTest : public EmulatorTest {};

const std::string kFilePath = "/v1/" + std::string(kFileName);

TEST_F(ImportDataFileTest, AnImportDataFileIsWhatWasSeeded) {
  EXPECT_EQ(Call("GET", kFilePath, 200).at("displayName"), "inventory");
  EXPECT_FALSE(Call("GET", kFilePath, 200).contains("uploadFileInfo")) << "as on the wire";
  const Json seed = {
      {"importDataFiles",
       {{{"name", kFileName},
         {"state", "CREATING"},
         {"uploadFileInfo", {{"signedUri", "https://x"}, {"headers", {{"a", "b"}}}}}}}}};
  Call("PUT", "/_emulator/seed", 200, seed.dump());
  EXPECT_EQ(Call("GET", kFilePath, 200).at("state"), "CREATING");
  EXPECT_EQ(Call("GET", kFilePath, 200).at("uploadFileInfo").at("headers").dump(), R"({"a":"b"})");
  Call("GET", "/v1/projects/acme/locations/eu/importJobs/other/importDataFiles/file", 404);
}

TEST_F(ImportDataFileTest, LookingUpAnImportDataFileIsCountedAndMayFail) {
  Call("PUT", "/_emulator/faults", 200,
       R"([{"operation": "migrationcenter.get", "target": "*/file", "times": 1, "status": 503}])");
  Call("GET", kFilePath, 503);
  Call("GET", kFilePath, 200);
  EXPECT_EQ(Call("GET", "/_emulator/requests", 200).at("operations").dump(),
            R"({"migrationcenter.get":2})");
}

TEST_F(ImportDataFileTest, LookingUpAnImportDataFileTakesItsPermission) {
  RunAfresh(R"(
importDataFiles: [projects/acme/locations/eu/importJobs/job/importDataFiles/file]
credentials:
  - {token: reader, permissions: ["migrationcenter.importDataFiles.get"]}
  - {token: other, permissions: ["networksecurity.*"]}
)");
  Call("GET", kFilePath + "?access_token=reader", 200);
  Call("GET", kFilePath + "?access_token=other", 403);
  Call("GET", kFilePath, 401);
}

}  // namespace
}  // namespace bindery::emulator
