#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/access/access_values.h"
#include "report/text/text_table.h"

namespace bindery::report {

// Answers about access in a form that grows with each answer, for answers that are never all in
// memory. Each object is for one thread.

/// Takes the parts of a text, in their order.
using WriteText = std::function<void(std::string_view)>;

/// A long text, of which about a mebibyte is in memory and the rest in a temporary file without a
/// name. Where no such file can be written, all of the text is in memory.
class LongText {
 public:
  void Append(std::string_view text);
  [[nodiscard]] bool empty() const { return pieces_.empty() && in_file_ == 0; }
  /// After the last Append(). Throws std::system_error where the temporary file cannot be read: a
  /// text with a gap must not look complete.
  void WriteTo(const WriteText& write) const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// Moves the pieces into the file.
  void Spill();

  std::vector<std::string> pieces_;  ///< Behind what is in the file.
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::size_t in_file_ = 0;  ///< Bytes.
  bool can_spill_ = true;
};

/// JSON, as it is dumped with two blanks a level.
class AccessJsonText {
 public:
  /// As TakeAnswer.
  void Take(const AccessAnswer& answer, bool certain);
  /// The whole report and a line break; `report` has no answers itself.
  void Finish(const AccessAnswers& report, const WriteText& write) const;

 private:
  LongText certain_;
  LongText others_;
};

/// The same of a comparison.
class AccessDiffJsonText {
 public:
  void Take(const AccessChange& change);
  /// The whole report and a line break; `diff` has no changes itself.
  void Finish(const AccessDiff& diff, const WriteText& write) const;

 private:
  LongText changes_;
};

/// The same as AccessCsv().
class AccessCsvText {
 public:
  void Take(const AccessAnswer& answer, bool certain);
  void Finish(const WriteText& write) const;

 private:
  LongText certain_;
  LongText others_;
};

/// The same as AccessCsv() of a comparison.
class AccessDiffCsvText {
 public:
  void Take(const AccessChange& change);
  void Finish(const WriteText& write) const;

 private:
  LongText changes_;
};

/// The same as AccessText().
class AccessTableText {
 public:
  explicit AccessTableText(const TextStyle& style);

  /// As BeginAnswers, before Take().
  void Begin(const AccessAnswers& head);
  void Take(const AccessAnswer& answer, bool certain);
  /// `report` has no answers itself. Says how many more answers the report counts.
  [[nodiscard]] std::string Finish(const AccessAnswers& report) &&;

 private:
  /// A row that comes after all certain ones.
  struct LaterRow {
    std::string target;  ///< The place in the table, as NameGroup() in access_text.cc.
    std::string title;
    std::vector<Cell> cells;
  };

  void Add(const std::string& target, const std::string& title, std::vector<Cell> cells);

  const TextStyle style_;
  TextStyle as_of_;      ///< With ages at the time of the report.
  TextStyle requested_;  ///< With times from the `request.time` of the report.
  bool named_ = true;    ///< Several principals may be meant.
  Table table_;
  std::string group_;  ///< Of the last row in the table.
  std::size_t shown_ = 0;
  std::vector<LaterRow> others_;
};

}  // namespace bindery::report
