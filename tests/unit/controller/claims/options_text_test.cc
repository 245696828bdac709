#include "controller/claims/options_text.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

using std::chrono::milliseconds;

Options All() {
  Options options;
  options.mode = Mode::kObserve;
  options.interval = milliseconds(90'000);
  options.provider = "other";
  options.suspend = true;
  options.protect = true;
  options.retain_on_delete = true;
  options.remove_expired = true;
  ExtraOptions rare;
  rare.depends_on = {"a", "b"};
  rare.ignore_changes = {"bindings[0].principals"};
  rare.aliases = {"former"};
  rare.import_id = "dashboard:abc";
  rare.create_timeout = milliseconds(1'000);
  rare.update_timeout = milliseconds(2'000);
  rare.delete_timeout = milliseconds(3'000);
  options.rare = std::make_shared<const ExtraOptions>(std::move(rare));
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
  EXPECT_EQ(OptionsFromText(OptionsText({})), Options{});
  EXPECT_EQ(OptionsFromText(OptionsText(All())), All());
  Options enforce;
  enforce.mode = Mode::kEnforce;
  EXPECT_EQ(OptionsFromText(OptionsText(enforce)), enforce);
}

TEST(OptionsText, DamagedTextGivesDefaults) {
  EXPECT_EQ(OptionsFromText(""), Options{});
  EXPECT_EQ(OptionsFromText("{"), Options{});
  EXPECT_EQ(OptionsFromText(R"({"intervalMs":"5m","suspend":"yes","provider":3})"), Options{});
  EXPECT_EQ(OptionsFromText(R"({"dependsOn":"a","aliases":[1],"createTimeoutMs":"1s"})"),
            Options{});
  EXPECT_EQ(OptionsFromText(R"({"dependsOn":[1,"a"]})").extra_options().depends_on,
            std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace bindery
