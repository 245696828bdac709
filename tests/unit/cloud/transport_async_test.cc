#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "cloud/transport.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "unit/cloud/requests.h"

namespace bindery::cloud {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using testing::HttpImpostor;
using testing::IsOk;
using testing::Options;

using Answer = std::promise<Expected<HttpResponse>>;

HttpRequest Request(std::string method, std::string url, std::string body = "") {
  HttpRequest request;
  request.method = std::move(method);
  request.url = std::move(url);
  request.body = std::move(body);
  request.timeout = std::chrono::seconds(20);
  return request;
}

Transport::Done Into(Answer& answer) {
  return [&answer](Expected<HttpResponse> response) { answer.set_value(std::move(response)); };
}

TEST(TransportAsync, AnAnswerComesOnAnotherThread) {
  HttpImpostor server;
  server.When("GET", "/").Reply(404, "none");
  CurlTransport transport(Options());
  std::promise<std::thread::id> thread;
  Answer answer;
  transport.SendAsync(std::make_shared<HttpRequest>(Request("GET", server.Url("/"))),
                      [&](Expected<HttpResponse> response) {
                        thread.set_value(std::this_thread::get_id());
                        answer.set_value(std::move(response));
                      });
  const auto response = answer.get_future().get();
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(response->body, "none");
  EXPECT_NE(thread.get_future().get(), std::this_thread::get_id());
}

TEST(TransportAsync, WhatCannotBeSentIsAnErrorOfTheAnswer) {
  CurlTransport transport(Options());
  Answer answer;
  transport.SendAsync(std::make_shared<HttpRequest>(Request("GET", "ftp://127.0.0.1/")),
                      Into(answer));
  EXPECT_FALSE(answer.get_future().get());
}

TEST(TransportAsync, WhoeverIsAnsweredMaySendAtOnce) {
  HttpImpostor server;
  server.When("GET", "/first").Reply(200, "1");
  server.When("GET", "/second").Reply(200, "2");
  CurlTransport transport(Options());
  Answer answer;
  transport.SendAsync(std::make_shared<HttpRequest>(Request("GET", server.Url("/first"))),
                      [&](const Expected<HttpResponse>&) {
                        transport.SendAsync(
                            std::make_shared<HttpRequest>(Request("GET", server.Url("/second"))),
                            Into(answer));
                      });
  const auto response = answer.get_future().get();
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->body, "2");
  EXPECT_EQ(server.Connections(), 1);
}

TEST(TransportAsync, OneHandleCarriesRequestsOfEveryKindInTurn) {
  HttpImpostor server;
  server.When("POST", "/").Reply(200, "posted");
  server.When("DELETE", "/").Reply(204);
  server.When("HEAD", "/").Reply(200);
  server.When("GET", "/").Reply(200, "got");
  CurlTransport transport(Options());
  HttpRequest post = Request("POST", server.Url("/"), "{}");
  post.headers.emplace_back("X-Once", "yes");
  EXPECT_THAT(transport.Send(post), IsOk());
  for (const char* method : {"GET", "DELETE", "GET", "HEAD", "GET"}) {
    const auto response = transport.Send(Request(method, server.Url("/")));
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(response->body, std::string(method) == "GET" ? "got" : "");
  }
  std::vector<std::string> methods;
  for (const auto& request : server.Requests()) {
    methods.push_back(request.method + request.body);
    EXPECT_EQ(request.headers.count("x-once"), methods.size() == 1 ? 1U : 0U);
  }
  EXPECT_THAT(methods, ElementsAre("POST{}", "GET", "DELETE", "GET", "HEAD", "GET"));
}

TEST(TransportAsync, CancelAllAnswersWhatIsUnderWay) {
  HttpImpostor server;
  server.When("GET", "/").Hold();
  CurlTransport transport(Options());
  Answer answer;
  transport.SendAsync(std::make_shared<HttpRequest>(Request("GET", server.Url("/"))), Into(answer));
  ASSERT_TRUE(server.WaitForRequests(1));
  transport.CancelAll();
  EXPECT_THAT(answer.get_future().get(), FailsWith(Code::kCancelled, "cancelled: shutting down"));
}

TEST(TransportAsync, TheEndOfTheTransportAnswersEverything) {
  HttpImpostor server;
  server.When("GET", "/").Hold();
  std::vector<Answer> answers(20);
  {
    CurlTransport transport(Options());
    for (Answer& answer : answers) {
      transport.SendAsync(std::make_shared<HttpRequest>(Request("GET", server.Url("/"))),
                          Into(answer));
    }
  }
  for (Answer& answer : answers) {
    EXPECT_THAT(answer.get_future().get(), FailsWith(Code::kCancelled, "cancelled: shutting down"));
  }
}

class Immediate final : public Transport {
 public:
  Expected<HttpResponse> Send(const HttpRequest& request) override {
    return HttpResponse{200, {}, request.url};
  }
};

TEST(TransportAsync, ATransportThatAnswersAtOnceNeedsNothingMore) {
  Immediate transport;
  Answer answer;
  transport.SendAsync(std::make_shared<HttpRequest>(Request("GET", "here")), Into(answer));
  EXPECT_EQ(answer.get_future().get()->body, "here");
}

}  // namespace
}  // namespace bindery::cloud
