#pragma once

#include <algorithm>
#include <boost/asio.hpp>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace bindery::testing {

/// An HTTP/1.1 server on a free port of 127.0.0.1 (and, when asked, on a UNIX socket) that answers
/// by a script and remembers what it was asked. It knows as little of HTTP as a test may need.
///
///     HttpImpostor server;
///     server.When("GET", "/v1/x").Reply(503).Times(2);
///     server.When("GET", "/v1/x").Reply(200, R"({"etag":"A"})");
///
/// The first rule that matches and has times left answers; without one the answer is 599.
class HttpImpostor {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  struct Request {
    std::string method;
    std::string target;                          ///< As sent, with the query.
    std::map<std::string, std::string> headers;  ///< Names in lower case.
    std::string body;
    int connection = 0;  ///< Counts from 1.
  };

  class Rule {
   public:
    explicit Rule(std::mutex& mutex) : mutex_(&mutex) {}
    Rule& Reply(int status, std::string body = "", Headers headers = {}) {
      const std::scoped_lock lock(*mutex_);
      status_ = status;
      body_ = std::move(body);
      headers_ = std::move(headers);
      return *this;
    }
    Rule& Times(int times) { return Set(times_, times); }
    Rule& Delay(std::chrono::milliseconds delay) { return Set(delay_, delay); }
    /// Closes the connection instead of answering.
    Rule& Close() { return Set(bytes_, std::size_t{0}); }
    /// Closes the connection after so many bytes of the answer.
    Rule& CloseAfter(std::size_t bytes) { return Set(bytes_, bytes); }
    /// Never answers, and keeps the connection open.
    Rule& Hold() { return Set(hold_, true); }

   private:
    template <typename Value>
    Rule& Set(Value& member, Value value) {
      const std::scoped_lock lock(*mutex_);
      member = value;
      return *this;
    }

    friend class HttpImpostor;
    std::mutex* mutex_;  ///< The impostor's: its thread may read the rule already.
    std::string method_;
    std::string path_;
    int status_ = 200;
    std::string body_;
    Headers headers_;
    int times_ = std::numeric_limits<int>::max();
    std::chrono::milliseconds delay_{0};
    std::size_t bytes_ = std::numeric_limits<std::size_t>::max();
    bool hold_ = false;
  };

  HttpImpostor() : tcp_(io_, {boost::asio::ip::address_v4::loopback(), 0}) {
    port_ = tcp_.local_endpoint().port();
    AcceptTcp();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~HttpImpostor() {
    io_.stop();
    thread_.join();
  }

  HttpImpostor(const HttpImpostor&) = delete;
  HttpImpostor& operator=(const HttpImpostor&) = delete;

  [[nodiscard]] std::string Url(std::string_view path = "") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
  }

  /// Listens on a UNIX socket too.
  void ListenOn(const std::filesystem::path& socket) {
    boost::asio::post(io_, [this, socket] {
      local_ = std::make_unique<Local::acceptor>(io_, Local::endpoint(socket.string()));
      AcceptLocal();
      const std::scoped_lock lock(mutex_);
      local_ready_ = true;
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return local_ready_; });
  }

  /// A rule for one method and one target; a target without a query matches every query.
  Rule& When(std::string method, std::string path) {
    const std::scoped_lock lock(mutex_);
    Rule& rule = rules_.emplace_back(mutex_);
    rule.method_ = std::move(method);
    rule.path_ = std::move(path);
    return rule;
  }

  [[nodiscard]] std::vector<Request> Requests() const {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }

  [[nodiscard]] int Connections() const {
    const std::scoped_lock lock(mutex_);
    return connections_;
  }

  /// Blocks until so many requests have come; false when they have not within a minute.
  [[nodiscard]] bool WaitForRequests(std::size_t count) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1),
                             [this, count] { return requests_.size() >= count; });
  }

 private:
  using Local = boost::asio::local::stream_protocol;
  using Socket = boost::asio::generic::stream_protocol::socket;
  using ErrorCode = boost::system::error_code;

  /// One connection; kept alive by its pending operations.
  struct Session : std::enable_shared_from_this<Session> {
    Session(HttpImpostor& owner, Socket connected, int number_of)
        : impostor(owner), socket(std::move(connected)), timer(owner.io_), number(number_of) {}

    void ReadHead() {
      boost::asio::async_read_until(
          socket, boost::asio::dynamic_buffer(input), "\r\n\r\n",
          [self = shared_from_this()](const ErrorCode& error, std::size_t bytes) {
            if (!error) self->ReadBody(bytes);
          });
    }

    void ReadBody(std::size_t head_bytes) {
      request = ParseHead(std::string_view(input).substr(0, head_bytes));
      request.connection = number;
      input.erase(0, head_bytes);
      const auto length = request.headers.find("content-length");
      const std::size_t wanted = length == request.headers.end() ? 0 : std::stoul(length->second);
      const std::size_t missing = wanted > input.size() ? wanted - input.size() : 0;
      boost::asio::async_read(
          socket, boost::asio::dynamic_buffer(input), boost::asio::transfer_exactly(missing),
          [self = shared_from_this(), wanted](const ErrorCode& error, std::size_t /*bytes*/) {
            if (error) return;
            self->request.body = self->input.substr(0, wanted);
            self->input.erase(0, wanted);
            self->Answer();
          });
    }

    void Answer() {
      const Rule rule = impostor.Choose(request);
      if (rule.hold_) {
        impostor.held_.push_back(shared_from_this());
        return;
      }
      output = Format(rule);
      close_after = rule.bytes_ < output.size();
      if (close_after) output.resize(rule.bytes_);
      if (rule.delay_.count() == 0) return Write();
      timer.expires_after(rule.delay_);
      timer.async_wait([self = shared_from_this()](const ErrorCode& error) {
        if (!error) self->Write();
      });
    }

    void Write() {
      boost::asio::async_write(
          socket, boost::asio::buffer(output),
          [self = shared_from_this()](const ErrorCode& error, std::size_t /*bytes*/) {
            if (!error && !self->close_after) self->ReadHead();
          });
    }

    HttpImpostor& impostor;
    Socket socket;
    boost::asio::steady_timer timer;
    int number;
    std::string input;
    std::string output;
    bool close_after = false;
    Request request;
  };

  static std::string LowerCase(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return lower;
  }

  static Request ParseHead(std::string_view head) {
    Request request;
    const auto take_until = [&head](std::string_view mark) {
      const std::size_t end = head.find(mark);
      const std::string_view taken = head.substr(0, end);
      head.remove_prefix(std::min(head.size(), taken.size() + mark.size()));
      return taken;
    };
    request.method = take_until(" ");
    request.target = take_until(" ");
    take_until("\r\n");
    while (!head.empty() && head.substr(0, 2) != "\r\n") {
      const std::string_view line = take_until("\r\n");
      const std::size_t colon = std::min(line.find(':'), line.size());
      std::string_view value = line.substr(std::min(line.size(), colon + 1));
      while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
      request.headers[LowerCase(line.substr(0, colon))] = value;
    }
    return request;
  }

  static std::string Format(const Rule& rule) {
    std::string text = "HTTP/1.1 " + std::to_string(rule.status_) + " Scripted\r\n";
    bool length_given = false;
    for (const auto& [name, value] : rule.headers_) {
      text += name + ": " + value + "\r\n";
      length_given = length_given || LowerCase(name) == "content-length";
    }
    const bool no_body = rule.status_ == 204 || rule.status_ == 304;
    if (!no_body && !length_given) {
      text += "Content-Length: " + std::to_string(rule.body_.size()) + "\r\n";
    }
    return text + "\r\n" + rule.body_;
  }

  Rule Choose(const Request& request) {
    const std::scoped_lock lock(mutex_);
    requests_.push_back(request);
    changed_.notify_all();
    const std::string path = request.target.substr(0, request.target.find('?'));
    for (Rule& rule : rules_) {
      const bool matches =
          rule.method_ == request.method && (rule.path_ == request.target || rule.path_ == path);
      if (!matches || rule.times_ <= 0) continue;
      --rule.times_;
      return rule;
    }
    Rule none(mutex_);
    none.status_ = 599;
    none.body_ = "no rule for " + request.method + " " + request.target;
    return none;
  }

  void Begin(Socket socket) {
    int number = 0;
    {
      const std::scoped_lock lock(mutex_);
      number = ++connections_;
    }
    std::make_shared<Session>(*this, std::move(socket), number)->ReadHead();
  }

  void AcceptTcp() {
    tcp_.async_accept([this](const ErrorCode& error, boost::asio::ip::tcp::socket socket) {
      if (error) return;
      Begin(Socket(std::move(socket)));
      AcceptTcp();
    });
  }

  void AcceptLocal() {
    local_->async_accept([this](const ErrorCode& error, Local::socket socket) {
      if (error) return;
      Begin(Socket(std::move(socket)));
      AcceptLocal();
    });
  }

  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor tcp_;
  std::unique_ptr<Local::acceptor> local_;
  std::vector<std::shared_ptr<Session>> held_;
  unsigned short port_ = 0;

  mutable std::mutex mutex_;  ///< Guards what follows.
  mutable std::condition_variable changed_;
  std::deque<Rule> rules_;  ///< A deque: When() hands out references.
  std::vector<Request> requests_;
  int connections_ = 0;
  bool local_ready_ = false;

  std::thread thread_;
};

}  // namespace bindery::testing
