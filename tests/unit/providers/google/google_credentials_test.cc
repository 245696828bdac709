#include <filesystem>

#include "cloud/http_errors.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/credentials/credentials.h"
#include "unit/providers/credential_fixture.h"

namespace bindery::google {
namespace {

using ::testing::Contains;
using testing::CredentialTest;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Pair;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class GoogleCredentialsTest : public CredentialTest {
 protected:
  static constexpr const char* kMetadata = "/computeMetadata/v1/";
  static constexpr const char* kTokenPath =
      "/computeMetadata/v1/instance/service-accounts/default/token"
      "?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform";

  void UseMetadataServer() { variables_["GCE_METADATA_HOST"] = server_.Url().substr(7); }
  void AnswerPings() { server_.When("GET", "/").Reply(200, "", {{"Metadata-Flavor", "Google"}}); }
  testing::HttpImpostor::Rule& Metadata(const std::string& path) {
    return server_.When("GET", kMetadata + path);
  }

  /// "account kind", or the failure.
  std::string Found() {
    const auto found = ApplicationDefaultCredentials(Settings());
    return found ? found->account + " " + found->kind : ToString(found.error());
  }
};

TEST_F(GoogleCredentialsTest, TheDocumentedOrderIsKept) {
  Json by_variable = ServiceAccount();
  by_variable["client_email"] = "variable";
  Json by_config = ServiceAccount();
  by_config["client_email"] = "config";
  Json by_home = ServiceAccount();
  by_home["client_email"] = "home";
  variables_["GOOGLE_APPLICATION_CREDENTIALS"] = File(by_variable, "a.json");
  variables_["CLOUDSDK_CONFIG"] = dir_ / "config";
  variables_["HOME"] = dir_ / "home";
  File(by_config, "config/application_default_credentials.json");
  File(by_home, "home/.config/gcloud/application_default_credentials.json");
  UseMetadataServer();
  AnswerPings();
  Metadata("instance/service-accounts/default/email").Reply(200, "metadata");
  EXPECT_EQ(Found(), "variable service account key");
  variables_["GOOGLE_APPLICATION_CREDENTIALS"] = "";
  EXPECT_EQ(Found(), "config service account key");
  variables_.erase("CLOUDSDK_CONFIG");
  EXPECT_EQ(Found(), "home service account key");
  EXPECT_THAT(server_.Requests(), IsEmpty());
  dir_.Remove("home");
  EXPECT_EQ(Found(), "metadata metadata server");
}

TEST_F(GoogleCredentialsTest, AFileThatTheVariableNamesMustBeThere) {
  variables_["GOOGLE_APPLICATION_CREDENTIALS"] = dir_ / "none";
  EXPECT_EQ(Found(), "UNAUTHENTICATED: GOOGLE_APPLICATION_CREDENTIALS: credential file \"" +
                         (dir_ / "none") + "\" cannot be read: No such file or directory");
}

TEST_F(GoogleCredentialsTest, WithoutAnyTheWaysToGiveSomeAreSaid) {
  const std::string start =
      "UNAUTHENTICATED: no Google credentials were found: set GOOGLE_APPLICATION_CREDENTIALS to "
      "the "
      "path of a credential file, or name one in the provider's configuration, or run "
      "`gcloud auth application-default login`";
  const std::string end = ", or run on Google Cloud with a service account attached (";
  variables_["NO_GCE_CHECK"] = "true";
  EXPECT_EQ(Found(), start + end + "the metadata server is not asked: NO_GCE_CHECK is set)");
  EXPECT_THAT(server_.Requests(), IsEmpty());
  variables_.erase("NO_GCE_CHECK");
  variables_["HOME"] = dir_.path();
  UseMetadataServer();
  server_.When("GET", "/").Close();
  EXPECT_EQ(Found(), start + " (there is no \"" +
                         (dir_ / ".config/gcloud/application_default_credentials.json") + "\")" +
                         end + "the metadata server " + server_.Url() + " does not answer)");
  EXPECT_THAT(waits_, ElementsAre(1s, 2s));
}

TEST_F(GoogleCredentialsTest, WhoeverAnswersWithoutTheHeaderIsNoMetadataServer) {
  UseMetadataServer();
  server_.When("GET", "/").Reply(200, "welcome to the hotel");
  EXPECT_THAT(ApplicationDefaultCredentials(Settings()),
              FailsWith(Code::kUnauthenticated, ::testing::HasSubstr("does not answer")));
  EXPECT_THAT(server_.Requests(), SizeIs(1));
}

TEST_F(GoogleCredentialsTest, OnGooglesHardwareTheMetadataServerIsTrustedToComeUp) {
  UseMetadataServer();
  server_.When("GET", "/").Close();
  dir_.Write("product_name", "Google Compute Engine\n");
  EXPECT_EQ(Found(), " metadata server");
}

TEST_F(GoogleCredentialsTest, TheMetadataServerTellsAllThereIsToKnow) {
  UseMetadataServer();
  AnswerPings();
  Metadata("instance/service-accounts/default/email").Reply(200, "vm@p.iam.gserviceaccount.com");
  Metadata("project/project-id").Reply(200, "p-vm");
  Metadata("universe/universe-domain").Reply(404);
  server_.When("GET", kTokenPath).Reply(200, Token("vm-token"));
  const auto found = ApplicationDefaultCredentials(Settings());
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->source, server_.Url());
  EXPECT_EQ(found->account, "vm@p.iam.gserviceaccount.com");
  EXPECT_EQ(found->project, "p-vm");
  EXPECT_EQ(found->universe_domain, "googleapis.com");
  EXPECT_EQ(*Bearer(found), "Bearer vm-token");
  for (const auto& request : server_.Requests()) {
    EXPECT_EQ(request.headers.at("metadata-flavor"), "Google") << request.target;
  }
}

TEST_F(GoogleCredentialsTest, AMachineWithoutAServiceAccountIsToldToGetOne) {
  UseMetadataServer();
  AnswerPings();
  server_.When("GET", kTokenPath).Reply(404, "<html>").Times(1);
  EXPECT_THAT(Bearer(ApplicationDefaultCredentials(Settings())),
              FailsWith(Code::kUnauthenticated,
                        "no service account is attached to this machine: attach one, or on "
                        "Kubernetes bind the pod's service account (Workload Identity)"));
  waits_.clear();
  server_.When("GET", kTokenPath).Reply(503).Times(3);
  server_.When("GET", kTokenPath).Reply(200, Token("vm-token"));
  EXPECT_THAT(Bearer(ApplicationDefaultCredentials(Settings())), IsOk());
  EXPECT_THAT(waits_, ElementsAre(1s, 2s, 4s)) << "its tokens are tried four times";
}

TEST_F(GoogleCredentialsTest, DestroyingThemEndsTheWaitBetweenTwoAttempts) {
  const std::string path = File(User());
  server_.When("POST", "/token").Reply(200, Token("t", 1000)).Times(1);
  server_.When("POST", "/token").Reply(429, "", {{"Retry-After", "5"}});
  GoogleCredentialSettings settings = Settings();
  settings.wait = {};  // The one that really sleeps.
  auto credentials = GoogleCredentialsFromFile(path, settings);
  ASSERT_EQ(*Bearer(credentials), "Bearer t");
  clock_->Pass(800s);
  ASSERT_EQ(*Bearer(credentials), "Bearer t");
  ASSERT_TRUE(server_.WaitForRequests(2));
  credentials->authorizer.reset();
  EXPECT_THAT(server_.Requests(), SizeIs(2)) << "no further attempt is made";
}

TEST_F(GoogleCredentialsTest, TheMetadataVariablesAreChecked) {
  const auto with = [this](const char* name, const char* value) {
    variables_ = {{name, value}};
    return Found();
  };
  EXPECT_EQ(with("GCE_METADATA_HOST", "http://x"),
            "INVALID_ARGUMENT: GCE_METADATA_HOST must be a host or host:port, without http:// and "
            "path");
  EXPECT_EQ(with("GCE_METADATA_ROOT", "a b"),
            "INVALID_ARGUMENT: GCE_METADATA_ROOT must be a host or host:port, without http:// and "
            "path");
  EXPECT_EQ(with("GCE_METADATA_IP", "user@x"),
            "INVALID_ARGUMENT: GCE_METADATA_IP must be a host or host:port, without http:// and "
            "path");
  EXPECT_EQ(with("GCE_METADATA_TIMEOUT", "soon"),
            "INVALID_ARGUMENT: GCE_METADATA_TIMEOUT must be a number of seconds from 1 to 300");
}

TEST_F(GoogleCredentialsTest, ThePingGoesToItsOwnAddressWhenOneIsNamed) {
  testing::HttpImpostor ping;
  ping.When("GET", "/").Reply(200, "", {{"Metadata-Flavor", "Google"}});
  UseMetadataServer();
  variables_["GCE_METADATA_IP"] = ping.Url().substr(7);
  EXPECT_EQ(Found(), " metadata server");
  EXPECT_THAT(ping.Requests(), SizeIs(1));
}

TEST_F(GoogleCredentialsTest, TheProjectComesFromTheEnvironmentBeforeTheFile) {
  const std::string path = File(ServiceAccount());
  const auto project = [this, &path] {
    return GoogleCredentialsFromFile(path, Settings())->project;
  };
  EXPECT_EQ(project(), "p-1");
  variables_["GCLOUD_PROJECT"] = "older";
  EXPECT_EQ(project(), "older");
  variables_["GOOGLE_CLOUD_PROJECT"] = "newer";
  EXPECT_EQ(project(), "newer");
}

TEST_F(GoogleCredentialsTest, TheQuotaProjectComesFromTheConfigurationFirst) {
  server_.When("POST", "/token").Reply(200, Token("t"));
  Json content = User();
  const std::string plain = File(content, "plain.json");
  content["quota_project_id"] = "file";
  const std::string path = File(content);
  GoogleCredentialSettings settings = Settings();
  EXPECT_THAT(Authorized(GoogleCredentialsFromFile(plain, settings))->headers,
              ElementsAre(Pair("Authorization", "Bearer t")));
  const auto quota = [&] {
    const auto credentials = GoogleCredentialsFromFile(path, settings);
    EXPECT_THAT(Authorized(credentials)->headers,
                Contains(Pair("X-Goog-User-Project", credentials->quota_project)));
    return credentials->quota_project;
  };
  EXPECT_EQ(quota(), "file");
  variables_["GOOGLE_CLOUD_QUOTA_PROJECT"] = "environment";
  EXPECT_EQ(quota(), "environment");
  settings.quota_project = "configuration";
  EXPECT_EQ(quota(), "configuration");
}

TEST_F(GoogleCredentialsTest, AnyCredentialsMayCountToAProject) {
  cloud::HttpRequest request;
  EXPECT_THAT(WithQuotaProject(cloud::StaticBearerToken("t"), "p")->Authorize(request), IsOk());
  EXPECT_THAT(request.headers,
              ElementsAre(Pair("X-Goog-User-Project", "p"), Pair("Authorization", "Bearer t")));
  const auto plain = cloud::StaticBearerToken("t");
  EXPECT_EQ(WithQuotaProject(plain, ""), plain);
  EXPECT_FALSE(WithQuotaProject(plain, "p")->Refused(request));
}

TEST_F(GoogleCredentialsTest, KindsThatAreNotSupportedSayWhatToUseInstead) {
  struct Case {
    const char* content;
    Code code;
    const char* message;
  };
  const Case cases[] = {
      {R"({"type":"external_account_authorized_user"})", Code::kUnimplemented,
       ": \"type\" \"external_account_authorized_user\" is not supported: it is a person's sign-in "
       "with a workforce pool; use \"external_account\" with a file or URL, or a service account"},
      {R"({"type":"gdch_service_account"})", Code::kUnimplemented,
       ": \"type\" \"gdch_service_account\" is not supported: Google Distributed Cloud has none of "
       "the services that are called here; use a key of type \"service_account\""},
      {R"({"type":"secret-x"})", Code::kInvalidArgument,
       ": \"type\" is not known: expected service_account, authorized_user, external_account or "
       "impersonated_service_account"},
      {R"({"installed":{"client_secret":"secret-x"}})", Code::kInvalidArgument,
       ": \"type\" is missing: this is the secret of an OAuth client, not a credential; run "
       "`gcloud auth application-default login --client-id-file=FILE` with it"},
      {R"({"type": secret-x)", Code::kInvalidArgument, " does not hold a JSON object"},
      {R"(["secret-x"])", Code::kInvalidArgument, " does not hold a JSON object"},
  };
  for (const Case& c : cases) {
    const std::string path = TextFile(c.content, "key.json");
    EXPECT_THAT(GoogleCredentialsFromFile(path, Settings()),
                FailsWith(c.code, "credential file \"" + path + "\"" + c.message));
  }
}

TEST_F(GoogleCredentialsTest, AFileThatIsNoSmallFileIsRefused) {
  const std::string name = "credential file \"" + (dir_ / "x") + "\" ";
  std::filesystem::create_directory(dir_ / "x");
  EXPECT_THAT(GoogleCredentialsFromFile(dir_ / "x", Settings()),
              FailsWith(Code::kUnauthenticated, name + "is not a regular file"));
  dir_.Remove("x");
  ASSERT_EQ(::mkfifo((dir_ / "x").c_str(), 0600), 0);
  EXPECT_THAT(GoogleCredentialsFromFile(dir_ / "x", Settings()),
              FailsWith(Code::kUnauthenticated, name + "is not a regular file"));
  dir_.Remove("x");
  dir_.Write("x", std::string(65537, ' '));
  EXPECT_THAT(GoogleCredentialsFromFile(dir_ / "x", Settings()),
              FailsWith(Code::kUnauthenticated, name + "is larger than 65536 bytes"));
}

TEST_F(GoogleCredentialsTest, AKeyThatOthersMayReadOrChangeIsWarnedOf) {
  const std::string path = File(ServiceAccount());
  const auto warnings = [this, &path](mode_t mode) {
    ::chmod(path.c_str(), mode);
    return GoogleCredentialsFromFile(path, Settings())->warnings;
  };
  const std::string name = "credential file \"" + path + "\" ";
  const std::string remedy = ": run chmod 600 \"" + path + "\"";
  EXPECT_THAT(warnings(0600), IsEmpty());
  EXPECT_THAT(warnings(0440), IsEmpty());
  EXPECT_THAT(warnings(0644),
              ElementsAre(name + "can be read by every user of this machine" + remedy));
  EXPECT_THAT(warnings(0660),
              ElementsAre(name + "can be changed by others than its owner" + remedy));

  // The way Kubernetes lays out a volume.
  File(ServiceAccount(), "volume/..2026/key.json");
  ::chmod((dir_ / "volume/..2026/key.json").c_str(), 0644);
  std::filesystem::create_symlink("..2026", dir_ / "volume/..data");
  std::filesystem::create_symlink("..data/key.json", dir_ / "volume/key.json");
  EXPECT_THAT(GoogleCredentialsFromFile(dir_ / "volume/key.json", Settings())->warnings, IsEmpty());
}

TEST_F(GoogleCredentialsTest, ARefusedTokenIsReplacedOnceAndTheCallRepeated) {
  server_.When("POST", "/token").Reply(200, Token("old")).Times(1);
  server_.When("POST", "/token").Reply(200, Token("new"));
  server_.When("GET", "/call").Reply(401, R"({"error":{"message":"expired"}})").Times(1);
  server_.When("GET", "/call").Reply(200, "{}");
  const auto credentials = GoogleCredentialsFromFile(File(User()), Settings());
  cloud::HttpRequest call;
  call.url = server_.Url("/call");
  EXPECT_THAT(cloud::Exchange(*transport_, *credentials->authorizer, call, GoogleErrors()), IsOk());
  std::vector<std::string> tokens;
  for (const auto& request : server_.Requests()) {
    if (request.method == "GET") tokens.push_back(request.headers.at("authorization"));
  }
  EXPECT_THAT(tokens, ElementsAre("Bearer old", "Bearer new"));
  EXPECT_THAT(server_.Requests(), SizeIs(4));

  cloud::HttpRequest sent_before = call;
  sent_before.headers.emplace_back("Authorization", "Bearer old");
  EXPECT_TRUE(credentials->authorizer->Refused(sent_before));
  EXPECT_EQ(*Bearer(credentials), "Bearer new");
  EXPECT_THAT(server_.Requests(), SizeIs(4)) << "there was a newer one already";
}

}  // namespace
}  // namespace bindery::google
