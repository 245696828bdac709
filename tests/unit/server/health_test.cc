#include "server_fixture.h"

namespace bindery::server {
namespace {

using testing::HttpResult;

class HealthApi : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    SetStore(true);
  }
  void SetStore(bool ok, bool loop = true) {
    control_.SetHealth({{"loop", loop, "no turn for 1m", true},
                        {"store", ok, "disk is full", false},
                        {"first-pass", true, "", false}});
  }
  void Expect(const std::string& path, int status, const std::string& body) const {
    SCOPED_TRACE(path);
    const HttpResult result = Get(path);
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.body, body);
    EXPECT_EQ(result.Header("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(result.Header("Cache-Control"), "no-store");
  }
};

TEST_F(HealthApi, IsTerseWhenAllIsWell) {
  for (const char* path : {"/livez", "/readyz", "/healthz"}) Expect(path, 200, "ok");
}

TEST_F(HealthApi, VerboseListsTheChecks) {
  Expect("/readyz?verbose", 200,
         "[+]loop ok\n[+]store ok\n[+]first-pass ok\nreadyz check passed\n");
  Expect("/livez?verbose=1", 200, "[+]loop ok\nlivez check passed\n");
}

TEST_F(HealthApi, WhatIsToBeKnownOfAGoodCheckIsShownToThoseWhoAsk) {
  control_.SetHealth({{"clock", true, "", false, "it is 2h ahead"}});
  Expect("/readyz", 200, "ok");
  Expect("/readyz?verbose", 200, "[+]clock ok: it is 2h ahead\nreadyz check passed\n");
}

TEST_F(HealthApi, AFailedCheckGivesItsReasonToThoseWhoAsk) {
  SetStore(false);
  Expect("/readyz", 500,
         "[+]loop ok\n[-]store failed: reason withheld\n[+]first-pass ok\nreadyz check failed\n");
  Expect("/healthz?verbose", 500,
         "[+]loop ok\n[-]store failed: disk is full\n[+]first-pass ok\nhealthz check failed\n");
}

TEST_F(HealthApi, LivenessIsAboutTheLoopOnly) {
  SetStore(false);
  Expect("/livez", 200, "ok");
  SetStore(true, false);
  Expect("/livez", 500, "[-]loop failed: reason withheld\nlivez check failed\n");
}

TEST_F(HealthApi, ExcludedChecksDoNotCount) {
  SetStore(false, false);
  Expect("/readyz?exclude=store&exclude=loop", 200, "ok");
  Expect("/readyz?exclude=store&verbose", 500,
         "[-]loop failed: no turn for 1m\n[+]store excluded: ok\n[+]first-pass ok\n"
         "readyz check failed\n");
  Expect("/livez?exclude=loop&exclude=lopo&verbose", 200,
         "[+]loop excluded: ok\nwarn: some health checks cannot be excluded: no matches for "
         "\"lopo\"\nlivez check passed\n");
}

TEST_F(HealthApi, OneCheckHasAPathOfItsOwn) {
  SetStore(false);
  Expect("/readyz/loop", 200, "ok");
  Expect("/readyz/store", 500, "[-]store failed: disk is full\n");
  Expect("/livez/store", 404, "there is no such check; there are: loop\n");
}

}  // namespace
}  // namespace bindery::server
