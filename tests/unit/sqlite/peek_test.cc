// A look at the database of another program.

#include "sqlite/peek.h"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::sqlite {
namespace {

using ::testing::_;
using testing::FailsWith;
using ::testing::Optional;

/// The answer; nothing: there is none.
std::optional<bool> Answer(const std::string& path, const std::vector<std::string>& tables) {
  const Expected<bool> answer = AnyRows(path, tables);
  return answer ? std::optional(*answer) : std::nullopt;
}

TEST(AnyRows, SaysWhetherOneOfTheTablesHasARow) {
  const testing::TempDir dir;
  const std::string path = dir / "other.db";
  EXPECT_THAT(AnyRows(path, {"A"}), FailsWith(Code::kNotFound, _));
  SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec("CREATE TABLE A (x INTEGER); CREATE TABLE B (x INTEGER)");
  EXPECT_THAT(AnyRows(path, {"A", "C"}), FailsWith(Code::kNotFound, _));
  EXPECT_THAT(Answer(path, {"A", "B"}), Optional(false));
  database.exec("INSERT INTO B VALUES (1)");
  EXPECT_THAT(Answer(path, {"A", "B"}), Optional(true));
  database.exec("BEGIN EXCLUSIVE");
  EXPECT_THAT(AnyRows(path, {"A", "B"}), FailsWith(Code::kUnavailable, _)) << "it waits for nobody";
}

}  // namespace
}  // namespace bindery::sqlite
