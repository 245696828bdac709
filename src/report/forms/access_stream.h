#pragma once

#include <string>

#include "report/access/access_values.h"

namespace bindery {

/// The answers about access as text that grows with each answer, for answers that are never all in
/// memory. For one thread.
class AccessJsonText {
 public:
  /// As TakeAnswer.
  void Take(const AccessAnswer& answer, bool certain);
  /// The whole report, as it is dumped with two blanks a level, and a line break; `report` has no
  /// answers itself.
  [[nodiscard]] std::string Finish(const AccessAnswers& report) &&;

 private:
  std::string certain_;
  std::string others_;
};

/// The same as AccessCsv().
class AccessCsvText {
 public:
  void Take(const AccessAnswer& answer, bool certain);
  [[nodiscard]] std::string Finish() &&;

 private:
  std::string certain_;
  std::string others_;
};

}  // namespace bindery
