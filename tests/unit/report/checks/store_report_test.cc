#include "report/checks/store_report.h"

#include <gtest/gtest.h>

#include "core/text/time_text.h"

namespace bindery::report {
namespace {

store::StoreCheck Sound() {
  store::StoreCheck check;
  check.schema_version = 2;
  check.bytes = 131'072;
  check.free_bytes = 4'096;
  check.wal_bytes = 0;
  check.tables = {{"events", 16, 8'192}, {"revisions", 1'234, 3'145'728}};
  check.oldest_event = *ParseRfc3339("2026-11-20T10:00:00Z");
  check.newest_event = *ParseRfc3339("2026-11-21T10:00:00Z");
  check.policies = 8;
  return check;
}

TEST(StoreCheckReport, HasAllThatWasMeasured) {
  EXPECT_EQ(ToJson(StoreCheckReport("/s.db", Sound())).dump(),
            R"({"store":"/s.db","sound":true,"schemaVersion":2,"bytes":131072,"walBytes":0,)"
            R"("freeBytes":4096,"policies":8,"events":{"oldest":"2026-11-20T10:00:00.000Z",)"
            R"("newest":"2026-11-21T10:00:00.000Z"},"tables":[{"name":"events","rows":16,)"
            R"("bytes":8192},{"name":"revisions","rows":1234,"bytes":3145728}],"findings":[]})");
  EXPECT_TRUE(ToJson(StoreCheckReport("", {})).at("events").at("oldest").is_null());
}

TEST(StoreCheckText, IsATableAndAVerdict) {
  EXPECT_EQ("\n" + StoreCheckText(StoreCheckReport("/s.db", Sound()), {}), R"(
TABLE      ROWS  SIZE
events     16    8.0 KiB
revisions  1234  3.0 MiB

schema version 2, 128.0 KiB (4.0 KiB free), 0 bytes not merged yet
events from 2026-11-20T10:00:00.000Z to 2026-11-21T10:00:00.000Z
sound, the content of 8 policies is as recorded
)");
}

TEST(StoreCheckText, SaysFirstWhatIsWrong) {
  store::StoreCheck check = Sound();
  check.findings = {{"content", "policy 2 does not match its digest (revision 4)"}};
  const std::string text = StoreCheckText(StoreCheckReport("/s.db", check), {});
  EXPECT_EQ(text.find("content: policy 2 does not match its digest (revision 4)\n\nTABLE"), 0U);
  EXPECT_NE(text.find("\n1 finding: not sound\n"), std::string::npos);
}

TEST(StoreCheckText, OfOtherTablesSaysNothingOfEvents) {
  store::StoreCheck check = Sound();
  check.oldest_event = check.newest_event = std::nullopt;
  check.findings = {{"version", "only the pages could be checked"}};
  const std::string text = StoreCheckText(StoreCheckReport("/s.db", check), {});
  EXPECT_EQ(text.find("events", text.find("MiB")), std::string::npos) << text;
}

TEST(StoreCheckText, OfWhatCouldNotBeOpenedSaysOnlyThat) {
  store::StoreCheck check;
  check.bytes = 100;
  check.findings = {{"integrity", "file is not a database"}};
  EXPECT_EQ(StoreCheckText(StoreCheckReport("/s.db", check), {}),
            "integrity: file is not a database\n\n"
            "100 bytes (0 bytes free), 0 bytes not merged yet\n1 finding: not sound\n");
}

TEST(SizeText, IsShort) {
  EXPECT_EQ(SizeText(1), "1 byte");
  EXPECT_EQ(SizeText(1023), "1023 bytes");
  EXPECT_EQ(SizeText(1536), "1.5 KiB");
  EXPECT_EQ(SizeText(5LL * 1024 * 1024 * 1024), "5.0 GiB");
}

}  // namespace
}  // namespace bindery::report
