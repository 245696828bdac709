#include "cel/types/declarations.h"

#include <algorithm>
#include <array>

namespace bindery::cel {
namespace {

/// The functions in the documentation of conditions.
constexpr std::string_view kDocumented[] = {
    "resource.hasTagKey(string): bool",
    "resource.hasTagKeyId(string): bool",
    "resource.matchTag(string, string): bool",
    "resource.matchTagId(string, string): bool",
    "api.getAttribute(string, dyn): dyn",
    "compute.isForwardingRuleCreationOperation(): bool",
    "compute.matchLoadBalancingSchemes(list(string)): bool",
    "list.hasOnly(list): bool",
    "timestamp(string): timestamp",
    "date(string): timestamp",
    "duration(string): duration",
    "string.startsWith(string): bool",
    "string.endsWith(string): bool",
    "string.extract(string): string",
    "_&&_(bool, bool): bool",
    "_||_(bool, bool): bool",
    "!_(bool): bool",
    "_+_(timestamp, duration): timestamp",
    "_+_(duration, timestamp): timestamp",
    "_+_(duration, duration): duration",
    "_-_(timestamp, timestamp): duration",
    "_-_(timestamp, duration): timestamp",
    "_-_(duration, duration): duration",
    "_+_(string, string): string",
    "_+_(bytes, bytes): bytes",
    "_+_(list, list): list",
    "-_(int): int",
    "-_(double): double",
    "_%_(int, int): int",
    "_%_(uint, uint): uint",
};

/// Further functions of the language: the service may know them or not. It has neither contains()
/// nor matches(): "undeclared reference to 'contains' (in container '')"
/// (gamedevpl/www.gamedev.pl#532, lanes-sh/link#93).
constexpr std::string_view kStandard[] = {
    "string.size(): int",
    "bytes.size(): int",
    "list.size(): int",
    "map.size(): int",
    "size(string): int",
    "size(bytes): int",
    "size(list): int",
    "size(map): int",
    "timestamp(int): timestamp",
    "timestamp(timestamp): timestamp",
    "duration(duration): duration",
    "duration.getHours(): int",
    "duration.getMinutes(): int",
    "duration.getSeconds(): int",
    "duration.getMilliseconds(): int",
    "int(dyn): int",
    "uint(dyn): uint",
    "double(dyn): double",
    "string(dyn): string",
    "bytes(dyn): bytes",
    "bool(dyn): bool",
    "dyn(dyn): dyn",
    "type(dyn): type",
};

/// "string.startsWith(string): bool", taken apart.
Overload Declared(std::string_view text, bool documented) {
  Overload overload;
  overload.documented = documented;
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind("): ");
  overload.text = text.substr(0, close + 1);
  overload.result = TypeNamed(text.substr(close + 3));
  overload.name = text.substr(0, open);
  if (const std::size_t dot = overload.name.find('.');
      dot != std::string::npos && IsTypeName(overload.name.substr(0, dot))) {
    overload.target = TypeNamed(overload.name.substr(0, dot));
    overload.name.erase(0, dot + 1);
  }
  std::string_view parameters = text.substr(open + 1, close - open - 1);
  while (!parameters.empty()) {
    const std::size_t comma = std::min(parameters.find(", "), parameters.size());
    overload.parameters.push_back(TypeNamed(parameters.substr(0, comma)));
    parameters.remove_prefix(std::min(comma + 2, parameters.size()));
  }
  return overload;
}

std::string Binary(std::string_view symbol, std::string_view left, std::string_view right) {
  return "_" + std::string(symbol) + "_(" + std::string(left) + ", " + std::string(right) + "): ";
}

void DeclareOperators(std::vector<Overload>& overloads) {
  constexpr std::array<std::string_view, 3> kNumbers = {"int", "uint", "double"};
  for (const std::string_view symbol : {"+", "-", "*", "/"}) {
    for (const std::string_view number : kNumbers) {
      overloads.push_back(Declared(Binary(symbol, number, number) + std::string(number), true));
    }
  }
  for (const std::string_view symbol : {"<", "<=", ">", ">="}) {
    for (const std::string_view type : {"bool", "string", "bytes", "timestamp", "duration"}) {
      overloads.push_back(Declared(Binary(symbol, type, type) + "bool", true));
    }
    for (const std::string_view left : kNumbers) {
      for (const std::string_view right : kNumbers) {
        overloads.push_back(Declared(Binary(symbol, left, right) + "bool", true));
      }
    }
  }
}

std::vector<Overload> Declare() {
  std::vector<Overload> overloads;
  for (const std::string_view text : kDocumented) overloads.push_back(Declared(text, true));
  for (const TimeGetter& getter : TimeGetters()) {
    const std::string method = "timestamp." + std::string(getter.name);
    overloads.push_back(Declared(method + "(): int", true));
    overloads.push_back(Declared(method + "(string): int", true));
  }
  DeclareOperators(overloads);
  for (const std::string_view text : kStandard) overloads.push_back(Declared(text, false));
  return overloads;
}

}  // namespace

const std::vector<TimeGetter>& TimeGetters() {
  static const std::vector<TimeGetter> kGetters = {
      {"getFullYear", 1, 9999},   {"getMonth", 0, 11},    {"getDate", 1, 31},
      {"getDayOfMonth", 0, 30},   {"getDayOfWeek", 0, 6}, {"getDayOfYear", 0, 365},
      {"getHours", 0, 23},        {"getMinutes", 0, 59},  {"getSeconds", 0, 59},
      {"getMilliseconds", 0, 999}};
  return kGetters;
}

const std::vector<Overload>& IamOverloads() {
  static const std::vector<Overload> kOverloads = Declare();
  return kOverloads;
}

const std::vector<Attribute>& IamAttributes() {
  static const Type kString{TypeKind::kString};
  static const std::vector<Attribute> kAttributes = {
      {"resource.service", kString},
      {"resource.type", kString},
      {"resource.name", kString},
      {"request.time", {TypeKind::kTimestamp}},
      {"request.path", kString},
      {"request.host", kString},
      {"request.auth.access_levels", {TypeKind::kList, TypeKind::kString}},
      {"destination.ip", kString},
      {"destination.port", {TypeKind::kInt}},
      {"principal.type", kString},
      {"principal.subject", kString}};
  return kAttributes;
}

const Attribute* FindIamAttribute(std::string_view path) {
  const std::vector<Attribute>& attributes = IamAttributes();
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& known) { return known.path == path; });
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace bindery::cel
