// What a start without a daemon reads: the store, and of the directory what is not as on record.

#include "app/directory/offline_start.h"

#include "unit/app/directory_on_record.h"

namespace bindery::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;

using OfflineStartTest = testing::DirectoryOnRecord;

TEST_F(OfflineStartTest, OpensOnlyFilesThatChanged) {
  const auto start = [this] {
    run_ = std::make_unique<controller::DryRun>(kinds_, MakeEngineSettings(config_, {}), Moment());
    EXPECT_THAT(StartOffline(config_, kinds_, KnownBefore::kFromStore, *run_), IsOk());
    // The store does not keep where an option is written.
    return FindManifest("d").options.extra_options().depends_on_at.size();
  };
  EXPECT_EQ(start(), 0U) << "from the store";
  EXPECT_THAT(Known(), ElementsAre("a", "b", "c", "d"));
  Write("d", "three", "roles/editor", "options: {dependsOn: [c]}\n");
  EXPECT_EQ(start(), 1U) << "from its file";
  EXPECT_THAT(FindManifest("d").spec, HasSubstr("roles/editor"));
  EXPECT_THAT(Known(), ElementsAre("a", "b", "c", "d", "d (before generation 2)"));
}

}  // namespace
}  // namespace bindery::app
