// The floor of a pass: the same reads by libcurl's multi interface alone, each answer parsed.

#include <curl/curl.h>

#include <memory>

#include "floor.h"

namespace {

constexpr const char* kUsage =
    "usage: bare_client URL --count N [--concurrency C]\n"
    "GETs N URLs, in which {} stands for 0 to N-1, C at a time (32) on one thread "
    "(curl_multi_poll),\n"
    "and parses each answer as JSON. Prints {items, wallSeconds, cpuSeconds, failures}.\n";

struct Transfer {
  CURL* easy = nullptr;
  std::string url;
  std::string body;
};

std::size_t Append(char* bytes, std::size_t /*one*/, std::size_t size, void* transfer) {
  static_cast<Transfer*>(transfer)->body.append(bytes, size);
  return size;
}

class Client {
 public:
  Client(std::string url, std::size_t count, std::size_t concurrency)
      : url_(std::move(url)), hole_(url_.find("{}")), count_(count), transfers_(concurrency) {
    if (hole_ == std::string::npos) throw std::invalid_argument("the URL needs a {}");
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(concurrency));
  }
  ~Client() {
    for (Transfer& transfer : transfers_) curl_easy_cleanup(transfer.easy);
    curl_multi_cleanup(multi_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Gives the number of answers that were not 200 with JSON.
  std::size_t Run() {
    for (Transfer& transfer : transfers_) Begin(transfer);
    int running = 1;
    while (running > 0) {
      curl_multi_perform(multi_, &running);
      Collect(running);
      if (running > 0) curl_multi_poll(multi_, nullptr, 0, 1000, nullptr);
    }
    return failures_;
  }

 private:
  void Begin(Transfer& transfer) {
    if (next_ == count_) return;
    if (transfer.easy == nullptr) {
      transfer.easy = curl_easy_init();
      curl_easy_setopt(transfer.easy, CURLOPT_WRITEFUNCTION, Append);
      curl_easy_setopt(transfer.easy, CURLOPT_WRITEDATA, &transfer);
      curl_easy_setopt(transfer.easy, CURLOPT_PRIVATE, &transfer);
      curl_easy_setopt(transfer.easy, CURLOPT_NOSIGNAL, 1L);
    }
    transfer.url = url_;
    transfer.url.replace(hole_, 2, std::to_string(next_++));
    transfer.body.clear();
    curl_easy_setopt(transfer.easy, CURLOPT_URL, transfer.url.c_str());
    curl_multi_add_handle(multi_, transfer.easy);
  }

  void Collect(int& running) {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      Transfer* transfer = nullptr;
      long status = 0;
      const CURLcode code = message->data.result;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
      const nlohmann::json answer = nlohmann::json::parse(transfer->body, nullptr, false);
      if (code != CURLE_OK || status != 200 || answer.is_discarded()) ++failures_;
      curl_multi_remove_handle(multi_, transfer->easy);
      if (next_ < count_) ++running;
      Begin(*transfer);
    }
  }

  std::string url_;
  std::size_t hole_;
  std::size_t count_;
  std::size_t next_ = 0;
  std::size_t failures_ = 0;
  CURLM* multi_ = curl_multi_init();
  std::vector<Transfer> transfers_;
};

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() != 1) throw std::invalid_argument("give one URL");
  const std::size_t count = arguments.Number("count", 1000);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const floors::Stopwatch watch;
  Client client(arguments.plain().front(), count, arguments.Number("concurrency", 32));
  const std::size_t failures = client.Run();
  nlohmann::ordered_json result = floors::Result(count, watch);
  result["failures"] = failures;
  return result;
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
