// How a session proves who its server is and who it is itself, on a server with certificates.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "store/open_store.h"
#include "store/postgres/database_facts.h"
#include "support/certificates.h"
#include "support/fake_clock.h"
#include "support/matchers.h"
#include "support/postgres_server.h"
#include "support/temp_dir.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// One of this process's own: a port that others may have taken is no matter there.
std::string OwnLoopbackAddress() {
  const auto id = static_cast<unsigned>(::getpid());
  return "127." + std::to_string(1 + (id >> 16U) % 254) + "." + std::to_string((id >> 8U) % 256) +
         "." + std::to_string(id % 256);
}

/// A server at a TCP address, whose certificate is for "db.test". TLS is required there. The user
/// `by_password` signs in by password, `by_certificate` by a certificate with that name.
class TlsServer : public PostgresServer {
 public:
  TlsServer() : address_(OwnLoopbackAddress()), ours_(dir_, "ours"), others_(dir_, "others") {
    const CertificateFiles files = ours_.Issue("db", {.names = "DNS:db.test"});
    Give("server.crt", GetText(files.certificate));
    Give("server.key", GetText(files.key));
    Give("clients.pem", GetText(ours_.file()));
    Give("signing-in",
         "local all all trust\n"
         "hostssl all bindery all trust\n"
         "hostssl all by_password all scram-sha-256\n"
         "hostssl all by_certificate all cert\n");
    Set("listen_addresses", address_);
    Set("ssl", "on");
    Set("ssl_cert_file", Folder() + "/server.crt");
    Set("ssl_key_file", Folder() + "/server.key");
    Set("ssl_ca_file", Folder() + "/clients.pem");
    Set("hba_file", Folder() + "/signing-in");
    for (const char* user : {"by_password PASSWORD 'SEKRET-1'", "by_certificate"}) {
      static_cast<void>(Ask("postgres", std::string("CREATE ROLE ") + user + " LOGIN"));
    }
    static_cast<void>(MakeUrl("tls"));
    Stop();
    Start();
  }

  /// With the parameters that prove the server.
  [[nodiscard]] std::string VerifiedUrl(const std::string& user) const {
    return Url(user, "db.test") + "&sslmode=verify-full&sslrootcert=" + ours_.file();
  }
  [[nodiscard]] std::string Url(const std::string& user, const std::string& host) const {
    return "postgresql://" + user + "@" + host + "/tls?hostaddr=" + address_;
  }
  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] const TempDir& files() const { return dir_; }
  [[nodiscard]] const TestAuthority& ours() const { return ours_; }
  [[nodiscard]] const TestAuthority& others() const { return others_; }

 private:
  void Set(const std::string& name, const std::string& value) {
    static_cast<void>(Ask("postgres", "ALTER SYSTEM SET " + name + " = '" + value + "'"));
  }
  /// A file that belongs to the server's user, and that only it can read.
  void Give(const std::string& name, const std::string& text) const {
    const std::string path = Folder() + "/" + name;
    std::ofstream(path) << text;
    struct ::stat folder {};
    if (::stat(Folder().c_str(), &folder) != 0 || ::chmod(path.c_str(), 0600) != 0 ||
        ::chown(path.c_str(), folder.st_uid, folder.st_gid) != 0) {
      throw std::runtime_error("cannot give the server " + path);
    }
  }
  [[nodiscard]] static std::string GetText(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  TempDir dir_;
  const std::string address_;
  TestAuthority ours_;
  TestAuthority others_;
};

class PostgresTls : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::Installed()) GTEST_SKIP() << "no PostgreSQL server here";
    static TlsServer server;
    server_ = &server;
  }

  /// A passfile with a password for everything.
  [[nodiscard]] std::string Passfile(const std::string& password, ::mode_t mode = 0600) const {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    server_->files().Write(name, "*:*:*:*:" + password + "\n");
    const std::string path = server_->files() / name;
    ::chmod(path.c_str(), mode);
    return path;
  }

  TlsServer* server_ = nullptr;
};

TEST_F(PostgresTls, AVerifiedServerIsKnownAsOne) {
  const auto facts = store::LookAtDatabase(server_->VerifiedUrl("bindery"));
  ASSERT_THAT(facts, IsOk());
  EXPECT_EQ(facts->protection, store::LinkProtection::kVerified);
}

TEST_F(PostgresTls, AStoreIsKeptOverIt) {
  FakeClock clock;
  const auto location = StoreLocation::Parse(server_->VerifiedUrl("bindery"));
  ASSERT_THAT(location, IsOk());
  EXPECT_THAT(store::OpenStore(*location, store::StoreAccess::kReadWrite, clock), IsOk());
}

TEST_F(PostgresTls, ASocketStaysOnThisMachine) {
  const auto facts = store::LookAtDatabase(server_->MakeUrl("tls"));
  ASSERT_THAT(facts, IsOk());
  EXPECT_EQ(facts->protection, store::LinkProtection::kLocal);
}

TEST_F(PostgresTls, AServerOfAnotherNameIsRefused) {
  EXPECT_THAT(store::LookAtDatabase(server_->Url("bindery", "other.test") +
                                    "&sslmode=verify-full&sslrootcert=" + server_->ours().file()),
              FailsWith(Code::kUnavailable, HasSubstr("does not match host name \"other.test\"")));
}

TEST_F(PostgresTls, AServerOfAnotherAuthorityIsRefused) {
  EXPECT_THAT(store::LookAtDatabase(server_->Url("bindery", "db.test") +
                                    "&sslmode=verify-full&sslrootcert=" + server_->others().file()),
              FailsWith(Code::kUnavailable, HasSubstr("certificate verify failed")));
}

TEST_F(PostgresTls, WithoutTheAuthorityNothingIsTrusted) {
  EXPECT_THAT(
      store::LookAtDatabase(server_->Url("bindery", "db.test") +
                            "&sslmode=verify-full&sslrootcert=" + (server_->files() / "none")),
      FailsWith(Code::kUnavailable, HasSubstr("root certificate file")));
}

TEST_F(PostgresTls, AServerWithoutTlsIsRefused) {
  const TempDir dir;
  const TestAuthority authority(dir, "any");
  PostgresServer plain({"listen_addresses = '" + server_->address() + "'", "port = 5433"});
  EXPECT_THAT(store::LookAtDatabase(
                  "postgresql://bindery@db.test:5433/postgres?hostaddr=" + server_->address() +
                  "&sslmode=verify-full&sslrootcert=" + authority.file()),
              FailsWith(Code::kUnavailable, HasSubstr("server does not support SSL")));
}

TEST_F(PostgresTls, APasswordComesFromAFileAndIsReadAtEachConnection) {
  const std::string url = server_->VerifiedUrl("by_password") + "&passfile=";
  EXPECT_THAT(store::LookAtDatabase(url + Passfile("SEKRET-1")), IsOk());
  EXPECT_THAT(store::LookAtDatabase(url + Passfile("SEKRET-2")),
              FailsWith(Code::kPermissionDenied, AllOf(HasSubstr("password authentication failed"),
                                                       Not(HasSubstr("SEKRET")))));
  EXPECT_THAT(store::LookAtDatabase(url + Passfile("SEKRET-1")), IsOk());
}

TEST_F(PostgresTls, AFileThatOthersCanReadIsNoPasswordFile) {
  EXPECT_THAT(store::LookAtDatabase(server_->VerifiedUrl("by_password") +
                                    "&passfile=" + Passfile("SEKRET-1", 0644)),
              FailsWith(Code::kPermissionDenied, HasSubstr("no password supplied")));
}

TEST_F(PostgresTls, ACertificateSignsIn) {
  const CertificateFiles files = server_->ours().Issue("by_certificate");
  ::chmod(files.key.c_str(), 0600);
  const std::string url = server_->VerifiedUrl("by_certificate");
  EXPECT_THAT(store::LookAtDatabase(url + "&sslcert=" + files.certificate + "&sslkey=" + files.key),
              IsOk());
  EXPECT_THAT(store::LookAtDatabase(url),
              FailsWith(Code::kPermissionDenied, HasSubstr("certificate")));
}

struct ProtectionCase {
  const char* name;
  store::LinkFacts facts;
  store::LinkProtection protection;
};

class ProtectionOfALink : public ::testing::TestWithParam<ProtectionCase> {};

TEST_P(ProtectionOfALink, IsWhatLibpqSays) {
  EXPECT_EQ(store::JudgeProtection(GetParam().facts), GetParam().protection);
}

INSTANTIATE_TEST_SUITE_P(
    Each, ProtectionOfALink,
    ::testing::Values(
        ProtectionCase{"Socket", {"/run/postgresql", "", "prefer"}, store::LinkProtection::kLocal},
        ProtectionCase{"AbstractSocket", {"@pg", "", "prefer"}, store::LinkProtection::kLocal},
        ProtectionCase{
            "Loopback", {"localhost", "127.0.0.1", "prefer"}, store::LinkProtection::kLocal},
        ProtectionCase{"Loopback6", {"localhost", "::1", "disable"}, store::LinkProtection::kLocal},
        ProtectionCase{"Plain", {"db", "192.0.2.1", "prefer"}, store::LinkProtection::kNone},
        ProtectionCase{
            "Preferred", {"db", "192.0.2.1", "prefer", true}, store::LinkProtection::kEncrypted},
        ProtectionCase{
            "Required", {"db", "192.0.2.1", "require", true}, store::LinkProtection::kEncrypted},
        ProtectionCase{"AuthorityOnly",
                       {"db", "192.0.2.1", "verify-ca", true},
                       store::LinkProtection::kEncrypted},
        ProtectionCase{
            "Verified", {"db", "192.0.2.1", "verify-full", true}, store::LinkProtection::kVerified},
        ProtectionCase{"Kerberos",
                       {"db", "192.0.2.1", "prefer", false, true},
                       store::LinkProtection::kVerified}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::testing
