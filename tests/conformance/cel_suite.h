#pragma once

#include <string>

#include "cel/evaluation/evaluator.h"
#include "conformance/text_proto.h"

namespace bindery::conformance {

enum class Verdict {
  kAgreed,
  kDisagreed,
  kNotParsed,
  kSkipped,  ///< Messages or what is not to be evaluated; the expression is read all the same.
};

struct TestOutcome {
  Verdict verdict = Verdict::kAgreed;
  std::string detail;  ///< What was expected and what came, or why it was skipped.
};

/// Runs one `test` of the suite.
[[nodiscard]] TestOutcome RunTest(const ProtoField& test);

}  // namespace bindery::conformance
