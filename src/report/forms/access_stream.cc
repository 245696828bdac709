#include "report/forms/access_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <system_error>

#include "report/codec/json_text_writer.h"

namespace bindery::report {
namespace {

constexpr std::size_t kStep = 2;
/// Within the list of the report.
constexpr std::size_t kDepthOfAnswers = 2;
constexpr std::string_view kBetweenAnswers = ",\n    ";
constexpr std::size_t kPiece = std::size_t{128} << 10U;
constexpr std::size_t kMostPieces = 8;

template <typename Item>
void AppendItem(const Item& item, LongText& text) {
  if (!text.empty()) text.Append(kBetweenAnswers);
  std::string json;
  report::JsonTextWriter(json, kStep, kDepthOfAnswers).Append(item);
  text.Append(json);
}

/// The report with the parts of the list. `empty_list`: the list in the report.
template <typename Report>
void WriteReport(const Report& report, std::string_view empty_list,
                 std::initializer_list<const LongText*> parts, const WriteText& write) {
  std::string text;
  report::JsonTextWriter(text, kStep, 0).Append(report);
  text += "\n";
  const auto end = text.find(empty_list) + empty_list.size() - 1;
  std::string_view before = "\n    ";
  std::string front = text.substr(0, end);
  for (const LongText* part : parts) {
    if (part->empty()) continue;
    write(front.append(before));
    part->WriteTo(write);
    front.clear();
    before = kBetweenAnswers;
  }
  // Nothing was written: the list is empty.
  write(front.empty() ? "\n  " + text.substr(end) : text);
}

}  // namespace

void LongText::Append(std::string_view text) {
  if (pieces_.empty() || pieces_.back().size() + text.size() > kPiece) {
    if (pieces_.size() >= kMostPieces) Spill();
    pieces_.emplace_back().reserve(std::max(kPiece, text.size()));
  }
  pieces_.back() += text;
}

void LongText::Spill() {
  if (!can_spill_) return;
  if (file_ == nullptr) file_.reset(std::tmpfile());
  std::size_t written = 0;
  can_spill_ = file_ != nullptr;
  for (const std::string& piece : pieces_) {
    can_spill_ =
        can_spill_ && std::fwrite(piece.data(), 1, piece.size(), file_.get()) == piece.size();
    written += piece.size();
  }
  can_spill_ = can_spill_ && std::fflush(file_.get()) == 0;
  // What is there in part does not count.
  if (!can_spill_) return;
  in_file_ += written;
  pieces_.clear();
}

void LongText::WriteTo(const WriteText& write) const {
  if (file_ != nullptr) std::rewind(file_.get());
  std::string part;
  for (std::size_t left = in_file_; left > 0; left -= part.size()) {
    part.resize(std::min(left, kPiece));
    errno = 0;
    part.resize(std::fread(part.data(), 1, part.size(), file_.get()));
    if (part.empty()) {
      throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(),
                              "the temporary file of a long text cannot be read");
    }
    write(part);
  }
  for (const std::string& piece : pieces_) write(piece);
}

void AccessJsonText::Take(const AccessAnswer& answer, bool certain) {
  AppendItem(answer, certain ? certain_ : others_);
}

void AccessJsonText::Finish(const AccessAnswers& report, const WriteText& write) const {
  WriteReport(report, "\n  \"answers\": []", {&certain_, &others_}, write);
}

void AccessDiffJsonText::Take(const AccessChange& change) { AppendItem(change, changes_); }

void AccessDiffJsonText::Finish(const AccessDiff& diff, const WriteText& write) const {
  WriteReport(diff, "\n  \"changes\": []", {&changes_}, write);
}

}  // namespace bindery::report
