#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace bindery::attribution {

/// How a file of JSON objects is written.
enum class RecordForm {
  kLines,  ///< One on each line.
  kArray,  ///< Elements of one array, on as many lines as it takes.
};

/// Cuts a stream of bytes into records. An incomplete last record is not consumed: it comes again
/// when the stream is read on.
class RecordCutter {
 public:
  static constexpr std::size_t kLongestRecord = 4U << 20U;

  struct Record {
    std::string_view text;  ///< Without white space around it; valid for the call.
    std::int64_t line = 0;  ///< Where it begins, from 1.
    bool too_long = false;  ///< Then the text is not all of it.
  };
  /// Within a record that is too long and was given already: the rest of it is passed over.
  struct Skip {
    bool on = false;
    int depth = 0;  ///< Of braces and brackets, within an element.
    bool in_string = false;
    bool escaped = false;
  };
  using Take = std::function<void(const Record&)>;

  /// `lines`: how many there are before the first byte.
  RecordCutter(RecordForm form, std::int64_t lines, Take take)
      : form_(form), take_(std::move(take)), lines_(lines), consumed_lines_(lines) {}

  /// Goes on within such a record. Requires: nothing was fed yet.
  void Resume(const Skip& skip) { skip_ = skip; }
  [[nodiscard]] Skip skip() const { return skip_.on ? skip_ : Skip(); }

  /// Gives every complete record, and a record that is too long already.
  void Feed(std::string_view bytes);

  /// The incomplete last record, for callers that know that nothing follows for now.
  [[nodiscard]] std::string_view rest() const { return record_; }
  /// Gives the rest as a record.
  void Finish() { End(); }

  /// How many of the bytes fed so far, and of the lines, are done with.
  [[nodiscard]] std::int64_t consumed() const { return skip_.on ? fed_ : consumed_; }
  [[nodiscard]] std::int64_t consumed_lines() const { return skip_.on ? lines_ : consumed_lines_; }

 private:
  void FeedLines(std::string_view bytes);
  void FeedElements(std::string_view bytes);
  void FeedElement(char c);
  void Keep(std::string_view bytes);
  void Give(bool too_long);
  void End();

  RecordForm form_;
  Take take_;
  std::int64_t lines_;  ///< Before the byte that comes next.
  std::int64_t begin_line_ = 0;
  std::int64_t fed_ = 0;
  std::int64_t consumed_ = 0;
  std::int64_t consumed_lines_;
  std::string record_;  ///< Under way.
  Skip skip_;           ///< Where the record is, also while it is kept.
};

}  // namespace bindery::attribution
