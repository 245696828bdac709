// Answers on their way to readers: coded as the reader asks, and held within a limit.

#include "server/delivery.h"

#include <string>
#include <utility>

#include "httpd/coding/content_coding.h"
#include "httpd/server.h"
#include "server_fixture.h"

namespace bindery::server {
namespace {

using testing::Fetch;
using testing::HttpResult;

class Delivery : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    store::StoreChange change;
    for (int i = 0; i < 300; ++i) {
      store::ResourceRecord record;
      record.name = "r" + std::to_string(i);
      record.token = {"monitoring", "RestrictionPolicy"};
      record.target = {"RestrictionPolicy", "monitoring", "dashboard:" + std::to_string(i)};
      record.role = "*";
      record.accepted = true;
      record.spec = "{}";
      record.labels = "{}";
      change.upsert_resources.push_back(record);
    }
    Apply(change);
  }

  [[nodiscard]] HttpResult GetCoded(const std::string& path, const std::string& codings) const {
    return Fetch("GET", "http://" + server_->Address() + path, {{"Accept-Encoding", codings}});
  }
};

std::string Gunzipped(const HttpResult& result) {
  httpd::Request request;
  request.headers.Set("Content-Encoding", result.Header("Content-Encoding"));
  request.body = result.body;
  return httpd::DecodeBody(request) ? request.body : "damaged";
}

TEST_F(Delivery, TheApiIsCompressedForWhoAsks) {
  for (const char* path : {"/api/v1/resources", "/api/v1/resources?limit=300",
                           "/api/v1/resources?limit=10", "/api/v1/targets", "/api/v1/events"}) {
    const HttpResult plain = Get(path);
    EXPECT_EQ(plain.Header("Content-Encoding"), "") << path;
    EXPECT_EQ(plain.Header("Vary"), "Accept-Encoding") << path;
    const HttpResult coded = GetCoded(path, "gzip");
    EXPECT_EQ(coded.status, 200);
    EXPECT_TRUE(Gunzipped(coded) == plain.body) << path;
    const bool is_short = plain.body.size() < 1024;
    EXPECT_EQ(coded.Header("Content-Encoding"), is_short ? "" : "gzip") << path;
    EXPECT_EQ(GetCoded(path, "zstd").Header("Content-Encoding"), is_short ? "" : "zstd") << path;
  }
}

TEST_F(Delivery, PartsOfListsAreTheSameOneByOne) {
  const Json all = GetJson("/api/v1/resources")["resources"];
  const Json part = GetJson("/api/v1/resources?limit=300")["resources"];
  ASSERT_EQ(all.size(), 300U);
  EXPECT_EQ(all, part);
}

TEST_F(Delivery, MetricsAreCompressedForWhoAsks) {
  const std::string text = "# HELP a A.\n" + std::string(5'000, '#') + "\n";
  control_.SetMetrics(text);
  EXPECT_EQ(Get("/metrics").body, text);
  const HttpResult coded = GetCoded("/metrics", "gzip");
  EXPECT_EQ(coded.Header("Content-Encoding"), "gzip");
  EXPECT_EQ(coded.Header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_LT(coded.body.size(), 1'000U);
  EXPECT_EQ(Gunzipped(coded), text);
}

TEST_F(Delivery, PagesAreNot) {
  const HttpResult page = GetCoded("/resources", "gzip, zstd");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.Header("Content-Encoding"), "");
  EXPECT_NE(page.body.find("</html>"), std::string::npos);
}

TEST(DeliveryWithoutRoom, SendsNothingAndSaysSo) {
  const ListBudget full(0);
  const std::string long_page(100'000, 'x');
  httpd::ServerOptions options;
  options.listen = "127.0.0.1:0";
  auto listener = httpd::Server::Start(
      std::move(options), [&](const httpd::Request& request, const httpd::Responder& responder) {
        const bool is_long = request.path == "/long";
        const auto response = httpd::TextResponse(200, is_long ? long_page : "short");
        const auto kind = AnswerKind::kPage;
        if (Deliver(full, request, responder, response, kind)) return;
        responder.Send(httpd::TextResponse(503, "no room"));
      });
  ASSERT_TRUE(listener.has_value());
  const std::string address = "http://" + (*listener)->Address();
  EXPECT_EQ(Fetch("GET", address + "/short").body, "short");
  EXPECT_EQ(Fetch("GET", address + "/long").body, "no room");
}

}  // namespace
}  // namespace bindery::server
