// Answers in the coding that the client asks for.

#include <gtest/gtest.h>
#include <zstd.h>

#include <memory>
#include <string>
#include <utility>

#include "httpd/coding/content_coding.h"
#include "httpd/coding/packed_body.h"

namespace bindery::httpd {
namespace {

std::string Lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "{\"name\":\"resource-" + std::to_string(i) + "\"},\n";
  return text;
}

std::string Gunzipped(std::string bytes) {
  Request request;
  request.headers.Set("Content-Encoding", "gzip");
  request.body = std::move(bytes);
  const auto decoded = DecodeBody(request);
  return decoded ? request.body : decoded.error().message;
}

std::string SentBy(PackedBody body) {
  const std::size_t size = body.size();
  PackedBody::Reader reader(std::make_shared<const PackedBody>(std::move(body)));
  std::string bytes;
  for (std::string_view piece = reader.Next(); !piece.empty(); piece = reader.Next()) {
    bytes += piece;
  }
  EXPECT_EQ(bytes.size(), size) << "the length that the answer announces";
  return bytes;
}

TEST(WantedCoding, IsTheOneOfTheHighestWeight) {
  struct Case {
    const char* header;
    ContentCoding coding;
  };
  const Case cases[] = {
      {"", ContentCoding::kIdentity},
      {"gzip", ContentCoding::kGzip},
      {"GZIP", ContentCoding::kGzip},
      {"x-gzip", ContentCoding::kGzip},
      {"zstd", ContentCoding::kZstd},
      {"deflate, gzip, br, zstd", ContentCoding::kGzip},
      {"gzip;q=0.5, zstd", ContentCoding::kZstd},
      {"gzip;q=0.8,zstd;q=0.7", ContentCoding::kGzip},
      {"gzip ; q=0.123 , zstd;q=0.124", ContentCoding::kZstd},
      {"gzip;q=0", ContentCoding::kIdentity},
      {"gzip;q=0.000, zstd;q=0", ContentCoding::kIdentity},
      {"gzip;q=1.000", ContentCoding::kGzip},
      {"gzip;q=x", ContentCoding::kIdentity},
      {"gzip;level=9", ContentCoding::kIdentity},
      {"identity, *", ContentCoding::kIdentity},
      {"br;q=1.0, *;q=0.1", ContentCoding::kIdentity},
      {",,;q=,", ContentCoding::kIdentity},
  };
  for (const Case& c : cases) EXPECT_EQ(WantedCoding(c.header), c.coding) << c.header;
}

TEST(GzipWriter, WritesOneMemberOfAllPieces) {
  for (const int lines : {0, 1, 100, 50'000}) {
    const std::string text = Lines(lines);
    GzipWriter gzip;
    std::string bytes;
    constexpr std::size_t kPiece = 50'000;
    for (std::size_t at = 0; at < text.size(); at += kPiece) {
      bytes += gzip.Add(std::string_view(text).substr(at, kPiece));
    }
    bytes += gzip.Finish();
    EXPECT_TRUE(Gunzipped(bytes) == text) << lines;
  }
}

TEST(GzipWriter, TakesBytesThatDoNotCompress) {
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 300'000; ++i) {
    state = state * 1'664'525U + 1'013'904'223U;
    noise += static_cast<char>(state >> 24U);
  }
  GzipWriter gzip;
  std::string bytes = gzip.Add(noise);
  bytes += gzip.Finish();
  EXPECT_TRUE(Gunzipped(bytes) == noise);
}

TEST(CodedBody, HoldsTheBodyInTheCoding) {
  const std::string text = Lines(50'000);
  PackedBody body;
  body.Append(text);
  PackedBody end;
  end.Append("the end");
  body.Append(std::move(end));
  body.Finish();
  EXPECT_TRUE(Gunzipped(SentBy(body.Coded(ContentCoding::kGzip))) == text + "the end");

  const std::string frames = SentBy(body.Coded(ContentCoding::kZstd));
  std::string unpacked(text.size() + 100, '\0');
  const std::size_t size =
      ZSTD_decompress(unpacked.data(), unpacked.size(), frames.data(), frames.size());
  ASSERT_EQ(ZSTD_isError(size), 0U);
  unpacked.resize(size);
  EXPECT_TRUE(unpacked == text + "the end");
}

TEST(CodedBody, OfATextIsTheSameAsOfAPackedText) {
  for (const int lines : {0, 1, 50'000}) {
    const std::string text = Lines(lines);
    PackedBody body;
    body.Append(text);
    body.Finish();
    const std::string coded = SentBy(PackedBody::Gzipped(text));
    EXPECT_TRUE(Gunzipped(coded) == text) << lines;
    EXPECT_TRUE(coded == SentBy(body.Coded(ContentCoding::kGzip))) << lines;
  }
}

}  // namespace
}  // namespace bindery::httpd
