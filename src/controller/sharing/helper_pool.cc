#include "controller/sharing/helper_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "controller/sharing/check_batch.h"
#include "core/text/random_id.h"

namespace bindery::controller {
namespace {

LentResult NotMade(const LentCheck& check) { return {check.loan, check.key, LentAnswer::kFailed}; }

}  // namespace

void HelperPool::SetHelpers(const std::vector<store::HelperRecord>& helpers) {
  for (auto& [id, helper] : helpers_) helper.there = false;
  for (const store::HelperRecord& record : helpers) {
    if (record.silent < kSilent) helpers_[record.id].there = true;
  }
  std::erase_if(helpers_,
                [](const auto& each) { return !each.second.there && each.second.asked == 0; });
}

std::size_t HelperPool::Count(MonoTime now) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(helpers_, [now](const auto& each) { return Takes(each.second, now); }));
}

std::size_t HelperPool::AtOnce(MonoTime now) const {
  std::size_t sum = 0;
  for (const auto& [id, helper] : helpers_) {
    if (Takes(helper, now)) sum += helper.at_once;
  }
  return sum;
}

HelperPool::Helper* HelperPool::LeastAsked(MonoTime now, std::string& id) {
  Helper* least = nullptr;
  for (auto& [name, helper] : helpers_) {
    if (!Takes(helper, now) || (least != nullptr && least->asked <= helper.asked)) continue;
    least = &helper;
    id = name;
  }
  return least;
}

HelperPool::Asked HelperPool::Ask(std::vector<LentCheck> checks, MonoTime now) {
  Asked asked;
  // Each helper gets a part, as they work side by side.
  const std::size_t parts = std::max<std::size_t>(Count(now), 1);
  const std::size_t part = std::min((checks.size() + parts - 1) / parts, kMostInBatch);
  for (auto next = checks.begin(); next != checks.end();) {
    std::string id;
    Helper* helper = LeastAsked(now, id);
    Batch batch{id, {}, now};
    std::vector<AskedCheck> texts;
    for (; next != checks.end() && batch.checks.size() < part; ++next) {
      Expected<AskedCheck> text = Fail(Code::kUnavailable, "there is no helper");
      if (helper != nullptr) text = ReadAskedCheck(*next);
      if (!text) {
        asked.refused.push_back(NotMade(*next));
        continue;
      }
      texts.push_back(std::move(*text));
      batch.checks.push_back(std::move(*next));
    }
    if (texts.empty()) continue;
    helper->asked += texts.size();
    const std::string name = RandomId();
    asked.batches.push_back({name, id, TextOfChecks(texts)});
    batches_.emplace(name, std::move(batch));
  }
  return asked;
}

std::vector<LentResult> HelperPool::End(Batches::iterator batch,
                                        const std::vector<LentAnswer>& answers, MonoTime now) {
  const std::vector<LentCheck>& checks = batch->second.checks;
  Helper& helper = helpers_[batch->second.helper];
  helper.asked -= std::min(helper.asked, checks.size());
  const auto count = [&answers](LentAnswer answer) {
    return static_cast<std::size_t>(std::ranges::count(answers, answer));
  };
  if (count(LentAnswer::kFailed) * 2 > answers.size()) helper.paused_until = now + kPause;
  if (count(LentAnswer::kLate) > 0) {
    helper.at_once = std::max(helper.at_once / 2, kLeastAtOnce);
  } else {
    helper.at_once = std::min(helper.at_once + checks.size(), kMostAtOnce);
  }
  std::vector<LentResult> results;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    results.push_back({checks[i].loan, checks[i].key, answers[i]});
  }
  batches_.erase(batch);
  return results;
}

std::vector<LentResult> HelperPool::Answered(const store::CheckBatchAnswer& answer, MonoTime now) {
  const auto batch = batches_.find(answer.id);
  if (batch == batches_.end()) return {};
  const std::size_t count = batch->second.checks.size();
  auto answers = ParseAnswers(answer.text, count);
  return End(batch, answers ? *answers : std::vector<LentAnswer>(count, LentAnswer::kFailed), now);
}

std::vector<LentResult> HelperPool::PassTime(MonoTime now) {
  std::vector<LentResult> results;
  for (auto next = batches_.begin(); next != batches_.end();) {
    const auto batch = next++;
    if (batch->second.at + kPatience > now) continue;
    const std::vector<LentAnswer> none(batch->second.checks.size(), LentAnswer::kFailed);
    std::ranges::move(End(batch, none, now), std::back_inserter(results));
  }
  return results;
}

}  // namespace bindery::controller
