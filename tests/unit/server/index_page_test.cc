#include <openssl/evp.h>

#include <array>

#include "server_fixture.h"

namespace bindery {
namespace {

using ::testing::HasSubstr;
using testing::HttpResult;
using ::testing::Not;

class IndexPage : public testing::ServerTest {};

TEST_F(IndexPage, CountsResourcesByStateAndOpenDrift) {
  StoreChange change;
  ResourceRecord record;
  record.name = "dash";
  record.status.state = ResourceState::kStalled;
  change.upsert_resources.push_back(record);
  DriftItem item;
  item.severity = Severity::kCritical;
  change.drift = {
      {{"RestrictionPolicy", "monitoring", "dashboard:a"}, clock_.Wall(), {item}, false}};
  Apply(change);
  const HttpResult page = Get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.Header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("<tr><td>Stalled</td><td class=\"n\">1</td></tr>"));
  EXPECT_THAT(page.body, HasSubstr("<tr><td>Ready</td><td class=\"n\">0</td></tr>"));
  EXPECT_THAT(page.body, HasSubstr("1 open, 0 held, among"));
  EXPECT_THAT(page.body, HasSubstr("<tr><td>critical</td><td class=\"n\">1</td></tr>"));
  EXPECT_THAT(page.body, HasSubstr("as of 2026-11-21T12:00:00.000Z"));
}

TEST_F(IndexPage, EveryLinkLeadsSomewhere) {
  const std::string page = Get("/").body;
  std::size_t links = 0;
  const std::string start = "<a href=\"";
  for (std::size_t at = page.find(start); at != std::string::npos; at = page.find(start, at + 1)) {
    const std::size_t begin = at + start.size();
    const std::string path = page.substr(begin, page.find('"', begin) - begin);
    EXPECT_EQ(Get(path).status, 200) << path;
    ++links;
  }
  EXPECT_GE(links, 8U);
}

/// The digest a browser would compute of the style sheet, by another implementation.
std::string BrowserDigest(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::array<unsigned char, 64> encoded = {};
  const int length = EVP_EncodeBlock(encoded.data(), digest.data(), static_cast<int>(size));
  return {encoded.begin(), encoded.begin() + length};
}

TEST_F(IndexPage, AllowsNothingButItsOwnStyleSheet) {
  const HttpResult page = Get("/");
  const std::size_t begin = page.body.find("<style>") + 7;
  const std::string style = page.body.substr(begin, page.body.find("</style>") - begin);
  EXPECT_EQ(page.Header("Content-Security-Policy"),
            "default-src 'none'; style-src 'sha256-" + BrowserDigest(style) +
                "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  EXPECT_EQ(page.Header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page.Header("Referrer-Policy"), "no-referrer");
  EXPECT_THAT(page.body, Not(HasSubstr("://")));
  EXPECT_THAT(page.body, Not(HasSubstr("<script")));
  EXPECT_THAT(page.body, Not(HasSubstr("style=\"")));
}

}  // namespace
}  // namespace bindery
