#include "report/forms/access_stream.h"

#include <string_view>
#include <utility>

#include "report/codec/json_text_writer.h"

namespace bindery {
namespace {

constexpr std::size_t kStep = 2;
/// Within the list of the report.
constexpr std::size_t kDepthOfAnswers = 2;
constexpr std::string_view kBetweenAnswers = ",\n    ";

}  // namespace

void AccessJsonText::Take(const AccessAnswer& answer, bool certain) {
  std::string& text = certain ? certain_ : others_;
  if (!text.empty()) text += kBetweenAnswers;
  report::JsonTextWriter(text, kStep, kDepthOfAnswers).Append(answer);
}

std::string AccessJsonText::Finish(const AccessAnswers& report) && {
  std::string text;
  report::JsonTextWriter(text, kStep, 0).Append(report);
  text += "\n";
  if (certain_.empty() && others_.empty()) return text;
  constexpr std::string_view kEmptyList = "\n  \"answers\": []";
  const auto end = text.find(kEmptyList) + kEmptyList.size() - 1;
  const bool both = !certain_.empty() && !others_.empty();
  std::string all = text.substr(0, end) + "\n    ";
  all += std::exchange(certain_, {});
  if (both) all += kBetweenAnswers;
  all += std::exchange(others_, {});
  all += "\n  ";
  return all.append(text, end);
}

}  // namespace bindery
