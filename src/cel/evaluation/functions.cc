#include "cel/evaluation/functions.h"

#include <map>

namespace bindery::cel {
namespace {

using Table = std::map<std::string_view, FunctionEntry>;

Table MakeTable() {
  Table table;
  for (const auto entries : {OperatorFunctions(), ConversionFunctions(), StringFunctions(),
                             TimeFunctions(), IamFunctions()}) {
    for (const FunctionEntry& entry : entries) table.emplace(entry.name, entry);
  }
  return table;
}

}  // namespace

Function FindFunction(std::string_view name, Style style) {
  static const Table kTable = MakeTable();
  const auto found = kTable.find(name);
  if (found == kTable.end()) return nullptr;
  const FunctionEntry& entry = found->second;
  return entry.style == style || entry.style == Style::kEither ? entry.function : nullptr;
}

Failure NoSuchOverload(const Call& call) {
  std::string message = "no such overload: " + std::string(call.name) + "(";
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (i > 0) message += ", ";
    message += call.args[i].TypeName();
  }
  return {message + ")"};
}

Failure TooExpensive() { return {"the evaluation takes more steps than it may"}; }

}  // namespace bindery::cel
