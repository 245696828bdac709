#include "core/base/wipe.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace bindery {
namespace {

/// The memory stays the text's own: emptied texts keep their room.
bool IsBlank(const char* at, std::size_t size) {
  return std::string_view(at, size).find_first_not_of('\0') == std::string_view::npos;
}

TEST(Wipe, LeavesNothingOfAText) {
  for (const std::size_t size : {0U, 5U, 500U}) {
    std::string text(size, 's');
    const char* at = text.data();
    Wipe(text);
    EXPECT_TRUE(text.empty());
    EXPECT_TRUE(IsBlank(at, size)) << size;
  }
}

TEST(Wipe, HappensAtTheEndOfAScope) {
  std::string text(500, 's');
  const char* at = text.data();
  {
    const WipeAtEnd end(text);
    EXPECT_EQ(text.size(), 500U);
  }
  EXPECT_TRUE(IsBlank(at, 500));
}

}  // namespace
}  // namespace bindery
