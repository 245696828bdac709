#include "manifests/documents/spec.h"

#include <gtest/gtest.h>

namespace bindery::manifests {
namespace {

TEST(Spec, IsDecodedFromTheTextOfTheManifest) {
  Manifest manifest;
  manifest.spec = R"({"name":"projects/p","role":"roles/viewer"})";
  const Expected<Json> spec = MakeSpec(manifest);
  ASSERT_TRUE(spec);
  EXPECT_EQ(StringMember(*spec, "role"), "roles/viewer");
}

TEST(Spec, ThatWasDamagedIsAnError) {
  for (const char* text : {"", "{", R"({"name":"projects/p")"}) {
    Manifest manifest;
    manifest.spec = text;
    const Expected<Json> spec = MakeSpec(manifest);
    ASSERT_FALSE(spec) << text;
    EXPECT_EQ(spec.error().code, Code::kInvalidArgument);
  }
}

TEST(Spec, OnlyAConditionThatMayAskForTheTimeIsTimed) {
  struct Condition {
    const char* spec;
    const char* expression;
  };
  const Condition cases[] = {
      {R"({"condition":{"expression":"request.time < t","title":"x"}})", "request.time < t"},
      {R"({"condition":{"expression":"resource.name == 'n'","title":"x"}})", ""},
      {R"({"name":"projects/time","members":["user:a"]})", ""},
      {R"({"bindings":[{"condition":{"expression":"request.time < t"}}]})", ""},
      {R"({"condition":{"expression":"request.time < t")", ""},
      {"", ""},
  };
  for (const Condition& c : cases) EXPECT_EQ(TimedExpression(c.spec), c.expression) << c.spec;
}

}  // namespace
}  // namespace bindery::manifests
