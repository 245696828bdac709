// The listener with a web configuration: HTTPS, passwords, and files that change under way.

#include <filesystem>

#include "server_fixture.h"
#include "support/bcrypt.h"
#include "support/certificates.h"
#include "support/https_client.h"

namespace bindery::server {
namespace {

using testing::CertificateFiles;
using ::testing::ElementsAre;
using testing::FailsWith;
using testing::FetchSecurely;
using ::testing::HasSubstr;
using testing::HttpsRequest;
using testing::HttpsResult;
using testing::IsOk;

class SecuredServer : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    authority_.emplace(dir_, "root");
    files_ = authority_->Issue("server");
    WriteWeb("cert_file: server.pem, key_file: server.key", "ana: " + testing::Bcrypt("sesame"));
    Start("127.0.0.1:0");
  }

  void WriteWeb(const std::string& tls, const std::string& users) {
    dir_.Write("web.tmp", "tls_server_config: {" + tls + "}\nbasic_auth_users: {" + users +
                              "}\nhttp_server_config: {headers: {X-Frame-Options: deny}}\n");
    std::filesystem::rename(dir_ / "web.tmp", dir_ / "web.yml");
  }
  [[nodiscard]] Expected<std::unique_ptr<ApiServer>> Open(const std::string& listen) {
    ApiOptions options;
    options.listen = listen;
    options.web_config = dir_ / "web.yml";
    return ApiServer::Start(options, Parts());
  }
  void Start(const std::string& listen) {
    auto started = Open(listen);
    ASSERT_THAT(started, IsOk());
    server_ = std::move(*started);
  }
  [[nodiscard]] HttpsResult Ask(const std::string& path, HttpsRequest request) const {
    request.authority = authority_->file();
    return FetchSecurely("https://" + server_->Address() + path, request);
  }
  [[nodiscard]] HttpsResult GetAs(const std::string& user) const {
    HttpsRequest request;
    request.user = user;
    return Ask("/api/v1/resources", request);
  }

  std::optional<testing::TestAuthority> authority_;
  CertificateFiles files_;
};

TEST_F(SecuredServer, AsksWhoItIsAndServesWhoItKnows) {
  const HttpsResult nobody = GetAs("");
  EXPECT_EQ(nobody.status, 401);
  EXPECT_EQ(nobody.Header("www-authenticate"), R"(Basic realm="bindery", charset="UTF-8")");
  EXPECT_EQ(GetAs("ana:guess").status, 401);
  const HttpsResult ana = GetAs("ana:sesame");
  EXPECT_EQ(ana.status, 200) << ana.body;
  EXPECT_EQ(ana.Header("x-frame-options"), "deny");
  EXPECT_EQ(Ask("/readyz", {}).status, 200);
}

TEST_F(SecuredServer, WhoHasSignedInMayChangeThingsInTheirOwnName) {
  HttpsRequest request;
  request.method = "POST";
  request.user = "ana:sesame";
  request.body = R"({"names":["a"]})";
  EXPECT_EQ(Ask("/api/v1/suspend", request).status, 200);
  EXPECT_THAT(control_.TakeCalls(),
              ElementsAre(::testing::StartsWith("suspend [a] by user ana (from 127.0.0.1:")));
  EXPECT_THAT(log_.back(), HasSubstr("change requested path=/api/v1/suspend actor=\"user ana"));
}

TEST_F(SecuredServer, NoOtherSiteMayChangeThingsInSomebodysName) {
  HttpsRequest request;
  request.method = "POST";
  request.user = "ana:sesame";
  request.headers = {"Origin: https://evil.example"};
  request.body = R"({"names":["a"]})";
  const HttpsResult result = Ask("/api/v1/suspend", request);
  EXPECT_EQ(result.status, 403);
  EXPECT_THAT(result.body, HasSubstr("the page of another site asked for it"));
  EXPECT_TRUE(control_.TakeCalls().empty());
}

TEST_F(SecuredServer, UsersAndCertificatesAreReadAnewWhenTheirFilesChange) {
  EXPECT_THAT(GetAs("ana:sesame").issued_to, HasSubstr("server"));
  const CertificateFiles renewed = authority_->Issue("renewed");
  WriteWeb("cert_file: " + renewed.certificate + ", key_file: " + renewed.key,
           "bob: " + testing::Bcrypt("open"));
  const HttpsResult bob = GetAs("bob:open");
  EXPECT_EQ(bob.status, 200);
  EXPECT_THAT(bob.issued_to, HasSubstr("renewed"));
  EXPECT_EQ(GetAs("ana:sesame").status, 401);
  // The certificate alone, as a tool that renews it does.
  const CertificateFiles third = authority_->Issue("third");
  std::filesystem::rename(third.key, dir_ / "renewed.key");
  EXPECT_THAT(GetAs("bob:open").issued_to, HasSubstr("renewed")) << "half of a pair is none";
  std::filesystem::rename(third.certificate, dir_ / "renewed.pem");
  EXPECT_THAT(GetAs("bob:open").issued_to, HasSubstr("third"));
}

TEST_F(SecuredServer, AFileThatCannotBeUsedLeavesTheOneBeforeInForce) {
  dir_.Write("web.yml", "basic_auth_users: {ana: sesame}\n");
  EXPECT_EQ(GetAs("ana:sesame").status, 200);
  EXPECT_EQ(GetAs("ana:sesame").status, 200);
  const auto said = [](const std::string& line) {
    return line.find("the web configuration cannot be used; the one before stays in force") !=
           std::string::npos;
  };
  EXPECT_EQ(std::count_if(log_.begin(), log_.end(), said), 1) << "told once";
  EXPECT_EQ(std::count_if(
                log_.begin(), log_.end(),
                [](const std::string& line) { return line.find("sesame") != std::string::npos; }),
            0);
}

TEST_F(SecuredServer, AnOpenListenerNeedsAConfigurationThatNamesSomebody) {
  EXPECT_THAT(Open("0.0.0.0:0"), IsOk());
  WriteWeb("cert_file: server.pem, key_file: server.key", "");
  EXPECT_THAT(Open("0.0.0.0:0"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("requires no authentication")));
  EXPECT_THAT(Open("127.0.0.1:0"), IsOk());
}

TEST_F(SecuredServer, ACertificateThatCannotBeUsedIsSaidAtTheStart) {
  WriteWeb("cert_file: missing.pem, key_file: server.key", "");
  EXPECT_THAT(
      Open("127.0.0.1:0"),
      FailsWith(Code::kInvalidArgument, HasSubstr("missing.pem\": cannot be read: no such file")));
}

}  // namespace
}  // namespace bindery::server
