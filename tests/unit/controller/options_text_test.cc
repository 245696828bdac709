#include "controller/options_text.h"

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
  return options;
}

TEST(OptionsText, HoldsWhatDiffersFromTheDefaults) {
  EXPECT_EQ(OptionsText({}), "{}");
  EXPECT_EQ(OptionsText(All()),
            R"({"intervalMs":90000,"mode":"observe","protect":true,"provider":"other",)"
            R"("retainOnDelete":true,"suspend":true})");
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
}

}  // namespace
}  // namespace bindery
