#include "controller/claims/options_text.h"

#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using std::chrono::milliseconds;

manifests::Options All() {
  manifests::Options options;
  options.mode = Mode::kObserve;
  options.interval = milliseconds(90'000);
  options.provider = "other";
  options.suspend = true;
  options.protect = true;
  options.retain_on_delete = true;
  options.remove_expired = true;
  manifests::ExtraOptions rare;
  rare.depends_on = {"a", "b"};
  rare.ignore_changes = {"bindings[0].principals"};
  rare.aliases = {"former"};
  rare.import_id = "dashboard:abc";
  rare.create_timeout = milliseconds(1'000);
  rare.update_timeout = milliseconds(2'000);
  rare.delete_timeout = milliseconds(3'000);
  options.rare = std::make_shared<const manifests::ExtraOptions>(std::move(rare));
  return options;
}

TEST(OptionsText, HoldsWhatDiffersFromTheDefaults) {
  EXPECT_EQ(OptionsText({}), "{}");
  EXPECT_EQ(
      OptionsText(All()),
      R"({"aliases":["former"],"createTimeoutMs":1000,"deleteTimeoutMs":3000,)"
      R"("dependsOn":["a","b"],"expired":"remove","ignoreChanges":["bindings[0].principals"],)"
      R"("import":"dashboard:abc","intervalMs":90000,"mode":"observe","protect":true,)"
      R"("provider":"other","retainOnDelete":true,"suspend":true,"updateTimeoutMs":2000})");
}

TEST(OptionsText, IsReadBack) {
  EXPECT_EQ(OptionsFromText(OptionsText({})), manifests::Options{});
  EXPECT_EQ(OptionsFromText(OptionsText(All())), All());
  manifests::Options enforce;
  enforce.mode = Mode::kEnforce;
  EXPECT_EQ(OptionsFromText(OptionsText(enforce)), enforce);
}

TEST(OptionsText, DamagedTextGivesDefaults) {
  EXPECT_EQ(OptionsFromText(""), manifests::Options{});
  EXPECT_EQ(OptionsFromText("{"), manifests::Options{});
  EXPECT_EQ(OptionsFromText(R"({"intervalMs":"5m","suspend":"yes","provider":3})"),
            manifests::Options{});
  EXPECT_EQ(OptionsFromText(R"({"dependsOn":"a","aliases":[1],"createTimeoutMs":"1s"})"),
            manifests::Options{});
  EXPECT_EQ(OptionsFromText(R"({"dependsOn":[1,"a"]})").extra_options().depends_on,
            std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace bindery::controller
