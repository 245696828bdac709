#include "httpd/incoming_request.h"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>
#include <string>
#include <string_view>

namespace bindery::httpd {
namespace {

namespace http = boost::beast::http;

class IncomingRequestTest : public ::testing::Test {
 protected:
  boost::system::error_code Feed(std::string_view text) {
    boost::system::error_code error;
    request_.parser().eager(true);
    request_.parser().put(boost::asio::buffer(text.data(), text.size()), error);
    return error;
  }

  /// The status and the text it is refused with; the method and the path when it is not.
  std::string Outcome(std::string_view text) {
    if (const auto error = Feed(text)) return error.message();
    if (const auto fault = request_.CheckHeader()) return Text(*fault);
    const auto request = request_.Take();
    return request ? request->method + " " + request->path : Text(request.error());
  }

  static std::string Text(const RequestFault& fault) {
    return std::to_string(fault.status) + " " + fault.why;
  }

  ServerOptions options_;
  IncomingRequest request_{options_};
};

TEST_F(IncomingRequestTest, BecomesARequest) {
  ASSERT_FALSE(
      Feed("POST /a%20b?c=d HTTP/1.1\r\nHost: one\r\nX-Y: z\r\nContent-Length: 4\r\n\r\nbody"));
  ASSERT_FALSE(request_.CheckHeader().has_value());
  EXPECT_TRUE(request_.is_complete());
  EXPECT_TRUE(request_.keep_alive());
  EXPECT_EQ(request_.raw_path(), "/a%20b");
  const auto request = request_.Take();
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->path, "/a b");
  EXPECT_EQ(request->raw_target, "/a%20b?c=d");
  EXPECT_EQ(request->host, "one");
  ASSERT_NE(request->FindQuery("c"), nullptr);
  EXPECT_EQ(*request->FindQuery("c"), "d");
  EXPECT_EQ(request->headers.Get("x-y"), "z");
  EXPECT_EQ(request->body, "body");
}

TEST_F(IncomingRequestTest, WaitsForABodyThatIsAnnounced) {
  ASSERT_FALSE(
      Feed("PUT / HTTP/1.1\r\nHost: one\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n"));
  ASSERT_FALSE(request_.CheckHeader().has_value());
  EXPECT_FALSE(request_.is_complete());
  EXPECT_TRUE(request_.expects_continue());
}

TEST_F(IncomingRequestTest, IsAHeadOnlyOnceItsHeaderWasChecked) {
  ASSERT_FALSE(Feed("HEAD / HTTP/1.1\r\nHost: one\r\n\r\n"));
  EXPECT_FALSE(request_.is_head());
  ASSERT_FALSE(request_.CheckHeader().has_value());
  EXPECT_TRUE(request_.is_head());
}

TEST_F(IncomingRequestTest, NeedsAHostFromHttp11On) {
  EXPECT_EQ(Outcome("GET / HTTP/1.1\r\n\r\n"), "400 missing Host header");
}

TEST_F(IncomingRequestTest, NeedsNoHostBeforeHttp11) {
  EXPECT_EQ(Outcome("GET / HTTP/1.0\r\n\r\n"), "GET /");
}

TEST_F(IncomingRequestTest, HasOneHost) {
  EXPECT_EQ(Outcome("GET / HTTP/1.1\r\nHost: one\r\nHost: one\r\n\r\n"),
            "400 more than one Host header");
}

TEST_F(IncomingRequestTest, HasNoUnknownCoding) {
  EXPECT_EQ(Outcome("POST / HTTP/1.1\r\nHost: one\r\nTransfer-Encoding: xchunked\r\n\r\n"),
            "501 only the transfer coding chunked is served");
}

TEST_F(IncomingRequestTest, HasOneCoding) {
  EXPECT_EQ(Outcome("POST / HTTP/1.1\r\nHost: one\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
            "501 only the transfer coding chunked is served");
}

TEST_F(IncomingRequestTest, HasNoCodingBeforeHttp11) {
  EXPECT_EQ(Outcome("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
            "400 a transfer coding before HTTP/1.1");
}

TEST_F(IncomingRequestTest, TakesTheAbsoluteFormOfItsHost) {
  EXPECT_EQ(Outcome("GET http://ONE/x HTTP/1.1\r\nHost: one\r\n\r\n"), "GET /x");
}

TEST_F(IncomingRequestTest, RefusesTheAbsoluteFormOfAnotherHost) {
  EXPECT_EQ(Outcome("GET http://two/x HTTP/1.1\r\nHost: one\r\n\r\n"),
            "400 malformed request target");
}

TEST_F(IncomingRequestTest, RefusesATargetThatIsNoPath) {
  EXPECT_EQ(Outcome("GET x HTTP/1.1\r\nHost: one\r\n\r\n"), "400 malformed request target");
}

TEST(FaultFrom, TellsWhatWasSentFromAPeerThatIsGone) {
  const auto status = [](http::error error) {
    const auto fault = FaultFrom(http::make_error_code(error));
    return fault ? fault->status : 0;
  };
  EXPECT_EQ(status(http::error::header_limit), 431);
  EXPECT_EQ(status(http::error::buffer_overflow), 431);
  EXPECT_EQ(status(http::error::body_limit), 413);
  EXPECT_EQ(status(http::error::bad_method), 400);
  EXPECT_EQ(status(http::error::end_of_stream), 0);
  EXPECT_EQ(status(http::error::partial_message), 0);
  EXPECT_FALSE(FaultFrom(boost::asio::error::connection_reset).has_value());
}

}  // namespace
}  // namespace bindery::httpd
