// HTTPS as libcurl sees it: handshakes, certificates of clients, and certificates that cannot be
// used.

#include "httpd/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <mutex>

#include "httpd/server.h"
#include "support/certificates.h"
#include "support/http_client.h"
#include "support/https_client.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::httpd {
namespace {

using testing::CertificateFiles;
using testing::FailsWith;
using testing::FetchSecurely;
using ::testing::HasSubstr;
using testing::HttpsRequest;
using testing::HttpsResult;
using testing::IsOk;
using testing::TestAuthority;

std::string GetText(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Tls : public ::testing::Test {
 protected:
  [[nodiscard]] TlsOptions Options(const CertificateFiles& files) const {
    TlsOptions options;
    options.certificates = GetText(files.certificate);
    options.key = GetText(files.key);
    options.client_authorities = GetText(authority_.file());
    return options;
  }

  void Serve(const TlsOptions& options) {
    Use(options);
    ServerOptions server;
    server.listen = "127.0.0.1:0";
    server.tls = [this] {
      const std::lock_guard lock(mutex_);
      return context_;
    };
    auto started = Server::Start(server, [](const Request& request, const Responder& responder) {
      responder.Send(TextResponse(200, (request.peer.secure ? "secure " : "plain ") +
                                           request.peer.certificate + request.body));
    });
    ASSERT_THAT(started, IsOk());
    server_ = std::move(*started);
  }
  void Use(const TlsOptions& options) {
    auto context = TlsContext::Make(options);
    ASSERT_THAT(context, IsOk());
    const std::lock_guard lock(mutex_);
    context_ = std::move(*context);
  }
  [[nodiscard]] HttpsResult Get(HttpsRequest request = {}) const {
    request.authority = authority_.file();
    return FetchSecurely("https://" + server_->Address() + "/", request);
  }

  testing::TempDir dir_;
  TestAuthority authority_{dir_, "root"};
  TestAuthority stranger_{dir_, "stranger"};
  CertificateFiles files_ = authority_.Issue("server");
  std::mutex mutex_;
  std::shared_ptr<const TlsContext> context_;
  std::unique_ptr<Server> server_;
};

TEST_F(Tls, ServesOverTlsAndAnswersNothingInPlain) {
  Serve(Options(files_));
  const HttpsResult result = Get();
  EXPECT_EQ(result.error, CURLE_OK);
  EXPECT_EQ(result.body, "secure ");
  EXPECT_EQ(testing::Fetch("GET", "http://" + server_->Address() + "/").status, 0);
}

TEST_F(Tls, CarriesLargeBodiesBothWays) {
  Serve(Options(files_));
  HttpsRequest request;
  request.method = "POST";
  request.body.assign(1U << 20U, 'x');
  const HttpsResult result = Get(request);
  EXPECT_EQ(result.error, CURLE_OK);
  EXPECT_EQ(result.body.size(), request.body.size() + 7);
}

TEST_F(Tls, EachConnectionIsServedWithTheCertificateOfItsTime) {
  Serve(Options(files_));
  EXPECT_THAT(Get().issued_to, HasSubstr("server"));
  Use(Options(authority_.Issue("renewed")));
  EXPECT_THAT(Get().issued_to, HasSubstr("renewed"));
}

TEST_F(Tls, OldVersionsAreRefusedUnlessAskedFor) {
  HttpsRequest old;
  old.most_version = CURL_SSLVERSION_MAX_TLSv1_2;
  TlsOptions options = Options(files_);
  Serve(options);
  EXPECT_EQ(Get(old).error, CURLE_OK);
  options.least_version = 13;
  Use(options);
  EXPECT_EQ(Get(old).error, CURLE_SSL_CONNECT_ERROR);
  EXPECT_EQ(Get().error, CURLE_OK);
}

TEST_F(Tls, AClientIsAskedForItsCertificateAsTheOptionsSay) {
  const CertificateFiles own = authority_.Issue("ana", {"DNS:ana.example,URI:spiffe://acme/ana"});
  const CertificateFiles foreign = stranger_.Issue("eve", {"DNS:ana.example"});
  struct Case {
    ClientCertificates clients;
    std::vector<std::string> names;
    const char* without;  ///< The answer; empty: no connection.
    const char* with_own;
    const char* with_foreign;
  };
  using Clients = ClientCertificates;
  const std::vector<Case> cases = {
      {Clients::kNone, {}, "secure ", "secure ", "secure "},
      {Clients::kRequest, {}, "secure ", "secure CN=ana", "secure "},
      {Clients::kRequireAny, {}, "", "secure CN=ana", "secure "},
      {Clients::kVerifyIfGiven, {}, "secure ", "secure CN=ana", ""},
      {Clients::kRequireAndVerify, {}, "", "secure CN=ana", ""},
      {Clients::kRequireAndVerify, {"ana.example"}, "", "secure CN=ana", ""},
      {Clients::kRequireAndVerify, {"spiffe://acme/ana"}, "", "secure CN=ana", ""},
      {Clients::kRequireAndVerify, {"bob.example", "spiffe://acme/an"}, "", "", ""},
      {Clients::kRequireAny, {"ana.example"}, "", "secure CN=ana", "secure "},
  };
  TlsOptions options = Options(files_);
  Serve(options);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    options.clients = cases[i].clients;
    options.client_names = cases[i].names;
    Use(options);
    HttpsRequest with_own;
    with_own.certificate = own;
    HttpsRequest with_foreign;
    with_foreign.certificate = foreign;
    EXPECT_EQ(Get().body, cases[i].without);
    EXPECT_EQ(Get(with_own).body, cases[i].with_own);
    EXPECT_EQ(Get(with_foreign).body, cases[i].with_foreign);
  }
}

TEST_F(Tls, WhatCannotBeUsedIsSaidWithoutTheKey) {
  const CertificateFiles other = authority_.Issue("other");
  TlsOptions good = Options(files_);
  EXPECT_THAT(TlsContext::Make(good), IsOk());

  TlsOptions mismatch = good;
  mismatch.key = GetText(other.key);
  EXPECT_THAT(TlsContext::Make(mismatch),
              FailsWith(Code::kInvalidArgument, "the key belongs to another certificate"));
  TlsOptions no_certificate = good;
  no_certificate.certificates = "nothing";
  EXPECT_THAT(TlsContext::Make(no_certificate),
              FailsWith(Code::kInvalidArgument, HasSubstr("the certificate is none, in PEM")));
  TlsOptions no_key = good;
  no_key.key = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n";
  EXPECT_THAT(
      TlsContext::Make(no_key),
      FailsWith(Code::kInvalidArgument, "the key is none, in PEM and without a passphrase"));
  TlsOptions cipher = good;
  cipher.ciphers = {"TLS_INVENTED"};
  EXPECT_THAT(TlsContext::Make(cipher),
              FailsWith(Code::kInvalidArgument,
                        "\"TLS_INVENTED\" is no cipher suite that this machine knows"));
  TlsOptions curve = good;
  curve.curves = {"CurveP257"};
  EXPECT_THAT(TlsContext::Make(curve), FailsWith(Code::kInvalidArgument, HasSubstr("P-257")));
}

TEST_F(Tls, CiphersAndCurvesAreThoseOfTheList) {
  TlsOptions options = Options(files_);
  options.most_version = 12;
  options.ciphers = {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                     "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"};
  options.curves = {"CurveP256"};
  Serve(options);
  EXPECT_EQ(Get().error, CURLE_OK);
  // The server's key is no RSA key.
  options.ciphers = {"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"};
  Use(options);
  EXPECT_EQ(Get().error, CURLE_SSL_CONNECT_ERROR);
}

}  // namespace
}  // namespace bindery::httpd
