#include "report/forms/access_stream.h"

#include <algorithm>
#include <cstddef>

#include "report/codec/json_text_writer.h"

namespace bindery::report {
namespace {

constexpr std::size_t kStep = 2;
/// Within the list of the report.
constexpr std::size_t kDepthOfAnswers = 2;
constexpr std::string_view kBetweenAnswers = ",\n    ";

}  // namespace

void TextPieces::Append(std::string_view text) {
  constexpr std::size_t kPiece = std::size_t{256} << 10U;
  if (pieces_.empty() || pieces_.back().size() + text.size() > kPiece) {
    pieces_.emplace_back().reserve(std::max(kPiece, text.size()));
  }
  pieces_.back() += text;
}

void TextPieces::WriteTo(const std::function<void(std::string_view)>& write) const {
  for (const std::string& piece : pieces_) write(piece);
}

void AccessJsonText::Take(const AccessAnswer& answer, bool certain) {
  TextPieces& text = certain ? certain_ : others_;
  if (!text.empty()) text.Append(kBetweenAnswers);
  std::string json;
  report::JsonTextWriter(json, kStep, kDepthOfAnswers).Append(answer);
  text.Append(json);
}

void AccessJsonText::Finish(const AccessAnswers& report, const WriteText& write) const {
  std::string text;
  report::JsonTextWriter(text, kStep, 0).Append(report);
  text += "\n";
  if (certain_.empty() && others_.empty()) return write(text);
  constexpr std::string_view kEmptyList = "\n  \"answers\": []";
  const auto end = text.find(kEmptyList) + kEmptyList.size() - 1;
  const bool both = !certain_.empty() && !others_.empty();
  write(text.substr(0, end) + "\n    ");
  certain_.WriteTo(write);
  if (both) write(kBetweenAnswers);
  others_.WriteTo(write);
  write("\n  " + text.substr(end));
}

}  // namespace bindery::report
