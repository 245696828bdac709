#include "controller/sharing/batch_runner.h"

#include <deque>
#include <utility>

#include "controller/calls/call_sender.h"
#include "controller/gates/target_work.h"
#include "controller/sharing/check_batch.h"

namespace bindery::controller {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kBlocking = 4;  ///< Threads that wait for credentials.

}  // namespace

/// Everything but the mailbox is touched by the one thread of turns.
class BatchRunner::Work : public std::enable_shared_from_this<BatchRunner::Work> {
 public:
  struct Threads {
    std::weak_ptr<WorkPool> blocking;
    std::weak_ptr<WorkPool> turns;
  };
  Work(const providers::Kinds& kinds, CloudCalls::Connections connections, const Settings& settings,
       Answers answers, const Threads& threads)
      : kinds_(kinds),
        connections_(std::move(connections)),
        settings_(settings),
        answers_(std::move(answers)),
        turns_(threads.turns),
        sender_(threads.blocking) {}

  void Start(store::CheckBatchRecord batch) {
    PostTo(turns_, [work = shared_from_this(), batch = std::move(batch)] { work->Add(batch); });
  }

 private:
  /// A batch under way.
  struct Answering {
    std::string id;
    std::vector<AskedCheck> checks;  ///< Not changed once it is under way.
    std::vector<LentAnswer> answers;
    std::size_t left = 0;
    steady_clock::time_point began;
  };

  struct Call final : OutgoingCall {
    std::shared_ptr<Work> work;
    std::shared_ptr<Answering> batch;
    std::size_t index = 0;

    void Answered(Expected<cloud::HttpResponse> response) override {
      LentAnswer answer = LentAnswer::kFailed;
      if (response && cloud::IsGood(*response)) {
        const bool same = Sha256Digest::Of(response->body) == batch->checks[index].known_body;
        answer = same ? LentAnswer::kSame : LentAnswer::kOther;
      }
      End(answer);
    }
    void OnException(const std::exception& /*failure*/) override { End(LentAnswer::kFailed); }
    void End(LentAnswer answer) {
      PostTo(work->turns_, [work = work, batch = batch, index = index, answer] {
        --work->running_;
        work->Take(batch, index, answer);
        work->Turn();
      });
    }
  };

  void Add(const store::CheckBatchRecord& record) {
    auto checks = ParseChecks(record.text);
    auto batch = std::make_shared<Answering>();
    batch->id = record.id;
    batch->began = steady_clock::now();
    if (checks) batch->checks = std::move(*checks);
    batch->left = batch->checks.size();
    batch->answers.assign(batch->left, LentAnswer::kFailed);
    // A batch that is not understood gets an empty answer: the replica at work sees the mismatch.
    if (batch->left == 0) return answers_->Put({batch->id, ""});
    for (std::size_t i = 0; i < batch->checks.size(); ++i) waiting_.emplace_back(batch, i);
    Turn();
  }

  void Turn() {
    while (running_ < settings_.concurrency && !waiting_.empty()) {
      const auto [batch, index] = std::move(waiting_.front());
      waiting_.pop_front();
      Begin(batch, index);
    }
  }

  void Begin(const std::shared_ptr<Answering>& batch, std::size_t index) {
    const AskedCheck& check = batch->checks[index];
    const auto connection = connections_.find(check.provider);
    const reconcilers::Kind* kind = kinds_.FindByTargets(check.kind);
    if (steady_clock::now() - batch->began > kPatience) {
      return Take(batch, index, LentAnswer::kLate);
    }
    if (kind == nullptr || connection == connections_.end()) {
      return Take(batch, index, LentAnswer::kFailed);
    }
    auto reading = kind->BuildGet(*connection->second, check.name, settings_.timeout);
    const std::string base = kind->BaseUrl(*connection->second, check.name);
    if (!reading || DigestOfCall(*reading, base) != check.call) {
      return Take(batch, index, LentAnswer::kFailed);
    }
    auto call = std::make_shared<Call>();
    call->connection = connection->second;
    call->call = std::move(*reading);
    call->call.request.max_response_bytes = kMaxPolicyBytes;
    call->work = shared_from_this();
    call->batch = batch;
    call->index = index;
    ++running_;
    sender_.Send(call);
  }

  void Take(const std::shared_ptr<Answering>& batch, std::size_t index, LentAnswer answer) {
    batch->answers[index] = answer;
    if (--batch->left == 0) answers_->Put({batch->id, TextOfAnswers(batch->answers)});
  }

  const providers::Kinds& kinds_;
  const CloudCalls::Connections connections_;
  const Settings settings_;
  const Answers answers_;
  const std::weak_ptr<WorkPool> turns_;
  const CallSender sender_;
  std::deque<std::pair<std::shared_ptr<Answering>, std::size_t>> waiting_;
  std::size_t running_ = 0;
};

BatchRunner::BatchRunner(const providers::Kinds& kinds, CloudCalls::Connections connections,
                         const Settings& settings, Answers answers)
    : blocking_(std::make_shared<WorkPool>(kBlocking)),
      turns_(std::make_shared<WorkPool>(1)),
      work_(std::make_shared<Work>(kinds, std::move(connections), settings, std::move(answers),
                                   Work::Threads{blocking_, turns_})) {}

BatchRunner::~BatchRunner() {
  // Before the threads are released: the last owner must not be one of the pool's threads.
  turns_->stop();
  turns_->join();
  blocking_->stop();
  blocking_->join();
}

void BatchRunner::Start(store::CheckBatchRecord batch) { work_->Start(std::move(batch)); }

}  // namespace bindery::controller
