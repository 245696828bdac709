// How values are kept in a database.

#include "store/sql/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bindery::store {
namespace {

using ::testing::ElementsAre;

/// Writes down what is bound to it.
class BoundStatement final : public Statement {
 public:
  void BindInt(int index, std::int64_t value) override { Note(index, std::to_string(value)); }
  void BindText(int index, std::string_view value) override {
    Note(index, "'" + std::string(value) + "'");
  }
  void BindBlob(int index, std::string_view value) override {
    Note(index, "blob " + std::string(value));
  }
  void BindCopy(int index, std::string_view blob) override {
    Note(index, std::to_string(blob.size()) + " bytes");
  }
  void BindNull(int index) override { Note(index, "NULL"); }

  bool Step() override { return false; }
  [[nodiscard]] std::int64_t Changed() const override { return 0; }
  void Defer() override {}
  [[nodiscard]] std::int64_t Insert() override { return 0; }
  void Reset() override {}
  [[nodiscard]] bool IsInt(int /*column*/) const override { return false; }
  [[nodiscard]] bool IsBlob(int /*column*/) const override { return false; }
  [[nodiscard]] bool IsNull(int /*column*/) const override { return true; }
  [[nodiscard]] std::int64_t Int(int /*column*/) const override { return 0; }
  [[nodiscard]] std::string_view View(int /*column*/) const override { return {}; }

  std::vector<std::string> bound;

 private:
  void Note(int index, const std::string& what) {
    bound.push_back("?" + std::to_string(index) + " " + what);
  }
};

class ParametersTest : public ::testing::Test {
 protected:
  BoundStatement statement_;
  Parameters parameters_{statement_};
};

TEST_F(ParametersTest, AreNumberedInTheOrderOfTheValues) {
  const std::string text = "ana";
  parameters_.Bind(std::int64_t{7});
  parameters_.Bind(true);
  parameters_.Bind(text);
  parameters_.Bind(3);
  EXPECT_THAT(statement_.bound, ElementsAre("?1 7", "?2 1", "?3 'ana'", "?4 3"));
}

TEST_F(ParametersTest, TimesAreMillisecondsRoundedDown) {
  parameters_.Bind(WallTime(std::chrono::microseconds(1'999)));
  parameters_.Bind(WallTime(std::chrono::microseconds(-1)));
  EXPECT_THAT(statement_.bound, ElementsAre("?1 1", "?2 -1"));
}

TEST_F(ParametersTest, ADigestIsBytesAndWhatIsNoneATextAsItIs) {
  const std::string digest(64, 'a');
  const std::string none = "not a digest";
  parameters_.Bind(MakeDigest{digest});
  parameters_.Bind(MakeDigest{none});
  EXPECT_THAT(statement_.bound, ElementsAre("?1 32 bytes", "?2 'not a digest'"));
}

TEST_F(ParametersTest, ANumberStandsForWhatIsOnRecord) {
  const std::string digest(64, 'a');
  parameters_.Bind(IdOrDigest{5, digest});
  parameters_.Bind(IdOrDigest{0, digest});
  parameters_.Bind(WordOrText{6, "viewer"});
  parameters_.Bind(WordOrText{0, "viewer"});
  EXPECT_THAT(statement_.bound, ElementsAre("?1 5", "?2 32 bytes", "?3 6", "?4 'viewer'"));
}

TEST_F(ParametersTest, BytesAreABlobAndNothingIsNull) {
  parameters_.Bind(BlobOf{"x"});
  parameters_.Bind(TextOrBlob{"y", /*blob=*/true});
  parameters_.Bind(TextOrBlob{"z", /*blob=*/false});
  parameters_.Bind(std::optional<std::int64_t>());
  parameters_.Bind(std::optional<std::int64_t>(0));
  EXPECT_THAT(statement_.bound, ElementsAre("?1 blob x", "?2 blob y", "?3 'z'", "?4 NULL", "?5 0"));
}

}  // namespace
}  // namespace bindery::store
