#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/interned.h"
#include "core/base/recent_texts.h"
#include "core/base/shared_text.h"
#include "core/base/sparse_box.h"

namespace bindery {
namespace {

template <typename T>
class Texts : public ::testing::Test {};
using OneOfMany = ::testing::Types<Interned, SharedText>;
TYPED_TEST_SUITE(Texts, OneOfMany);

TYPED_TEST(Texts, AreKeptOnceHoweverManyBearThem) {
  const TypeParam text("roles/viewer, long enough to stand on the heap");
  const TypeParam same(std::string("roles/viewer, long enough to stand on the heap"));
  EXPECT_EQ(text, same);
  EXPECT_EQ(&text.str(), &same.str());
  EXPECT_EQ(sizeof(text), sizeof(void*));
}

TYPED_TEST(Texts, AreOrderedAsTheirLetters) {
  const std::vector<TypeParam> sorted = {TypeParam(), "a", "ab", "b"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(sorted[i] <=> sorted[j], i <=> j) << i << " and " << j;
      EXPECT_EQ(sorted[i] == sorted[j], i == j) << i << " and " << j;
    }
  }
}

TYPED_TEST(Texts, OfNothingAreEmpty) {
  EXPECT_TRUE(TypeParam().empty());
  EXPECT_TRUE(TypeParam("").empty());
  EXPECT_EQ(TypeParam(), TypeParam(std::string()));
  EXPECT_FALSE(TypeParam("a").empty());
}

TYPED_TEST(Texts, MayBeMadeByManyThreadsAtOnce) {
  std::vector<std::vector<TypeParam>> made(4);
  {
    std::vector<std::jthread> threads;
    for (auto& texts : made) {
      threads.emplace_back([&texts] {
        for (int i = 0; i < 1000; ++i) texts.push_back(TypeParam(std::to_string(i % 10)));
      });
    }
  }
  for (const auto& texts : made) EXPECT_EQ(texts, made.front());
}

/// Each that is made of a text is an object of its own.
class OwnText {
 public:
  OwnText() : OwnText(std::string()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as the texts it stands for
  OwnText(const std::string& text) : text_(std::make_shared<const std::string>(text)) {}
  [[nodiscard]] const std::string& str() const { return *text_; }

 private:
  std::shared_ptr<const std::string> text_;  // Shared by its copies.
};

TEST(RecentTexts, ATextThatComesBackIsTheSameObject) {
  RecentTexts<OwnText> recent;
  const OwnText first = recent.Of("payments");
  const OwnText again = recent.Of("payments");
  EXPECT_EQ(first.str(), "payments");
  EXPECT_EQ(&again.str(), &first.str());
}

TEST(RecentTexts, AreTheTextsThatWereAskedForWhateverIsForgotten) {
  RecentTexts<OwnText> recent;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(recent.Of(std::to_string(i)).str(), std::to_string(i));
  EXPECT_EQ(recent.Of("").str(), "");
}

TEST(RecentTexts, ALongTextIsNotHeld) {
  RecentTexts<OwnText> recent;
  const std::string text(10'000, 'x');
  const OwnText first = recent.Of(text);
  const OwnText again = recent.Of(text);
  EXPECT_EQ(first.str(), text);
  EXPECT_NE(&again.str(), &first.str());
}

TEST(SparseBox, IsEmptyUntilSomethingIsInIt) {
  SparseBox<std::string> text;
  EXPECT_TRUE(text->empty());
  text.Set("outputs");
  EXPECT_EQ(*text, "outputs");
  text.Edit() += " and more";
  EXPECT_EQ(*text, "outputs and more");
  text.Set("");
  EXPECT_TRUE(text->empty());
  EXPECT_EQ(sizeof(text), sizeof(void*));
}

}  // namespace
}  // namespace bindery
