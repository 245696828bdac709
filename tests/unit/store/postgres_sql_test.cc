#include "store/postgres/postgres_sql.h"

#include <gtest/gtest.h>

namespace bindery::store {
namespace {

TEST(PostgresSqlTest, ParametersAreNumberedAsPostgresqlDoes) {
  const PostgresSql sql = ForPostgres("SELECT a FROM t WHERE b = ?2 AND c = '?' AND d = ?10");
  EXPECT_EQ(sql.text, "SELECT a FROM t WHERE b = $2 AND c = '?' AND d = $10");
  EXPECT_EQ(sql.id_parameter, 0);
}

TEST(PostgresSqlTest, AnInsertIsGivenTheIdOfItsRow) {
  const PostgresSql sql = InsertForPostgres("\nINSERT INTO t (a, b)\nVALUES (?2, ?11)\n");
  EXPECT_EQ(sql.text, "\nINSERT INTO t (id, a, b)\nVALUES ($12, $2, $11)\n");
  EXPECT_EQ(sql.table, "t");
  EXPECT_EQ(sql.id_parameter, 12);
}

}  // namespace
}  // namespace bindery::store
