#include "tracing/header_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::tracing {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

class HeaderFile : public ::testing::Test {
 protected:
  Expected<cloud::HttpHeaders> Read(const std::string& text) {
    dir_.Write("headers", text);
    return ReadHeaderFile(dir_ / "headers");
  }

  testing::TempDir dir_;
};

TEST_F(HeaderFile, OneALine) {
  EXPECT_THAT(*Read("# the vendor's\r\nX-Key:  a b:c \r\n\n authorization: Basic dXNlcg==\n"),
              ElementsAre(Pair("X-Key", "a b:c"), Pair("authorization", "Basic dXNlcg==")));
  EXPECT_THAT(*Read(""), IsEmpty());
}

TEST_F(HeaderFile, NoNameIsNoHeaders) { EXPECT_THAT(*ReadHeaderFile(""), IsEmpty()); }

TEST_F(HeaderFile, WhatIsNoHeaderIsToldByItsLineAndNotRepeated) {
  for (const char* line : {"SECRET", ": SECRET", "SECRET:", "a b: SECRET", "a: SECRET\x01"}) {
    const auto headers = Read("a: b\n" + std::string(line) + "\n");
    ASSERT_THAT(headers, FailsWith(Code::kInvalidArgument, HasSubstr("headers:2:"))) << line;
    EXPECT_THAT(headers.error().message, Not(HasSubstr("SECRET")));
  }
}

TEST_F(HeaderFile, OneThatIsNotThereIsNamed) {
  const auto headers = ReadHeaderFile(dir_ / "nowhere");
  EXPECT_THAT(headers, FailsWith(Code::kUnauthenticated, HasSubstr("nowhere")));
}

}  // namespace
}  // namespace bindery::tracing
