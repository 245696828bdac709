#include "cel/types/type_checker.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "cel/syntax/tree.h"
#include "cel/types/declarations.h"
#include "cel/types/types.h"
#include "core/text/nearest.h"

namespace bindery::cel {
namespace {

constexpr std::size_t kMaxFindings = 10;

bool IsAny(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string Listed(const std::vector<Type>& types) {
  std::string text;
  for (const Type& type : types) text += (text.empty() ? "" : ", ") + ToString(type);
  return "(" + text + ")";
}

bool Takes(const Overload& overload, const std::vector<Type>& arguments) {
  return std::equal(arguments.begin(), arguments.end(), overload.parameters.begin(),
                    overload.parameters.end(), Agree);
}

bool HoldsItems(const Type& type) {
  return type.kind == TypeKind::kList || type.kind == TypeKind::kMap || type.kind == TypeKind::kDyn;
}

struct ConstantType {
  TypeKind operator()(std::nullptr_t) const { return TypeKind::kNull; }
  TypeKind operator()(bool) const { return TypeKind::kBool; }
  TypeKind operator()(std::int64_t) const { return TypeKind::kInt; }
  TypeKind operator()(std::uint64_t) const { return TypeKind::kUint; }
  TypeKind operator()(double) const { return TypeKind::kDouble; }
  TypeKind operator()(const std::string&) const { return TypeKind::kString; }
  TypeKind operator()(const Bytes&) const { return TypeKind::kBytes; }
};

/// Walks the tree. A part with an error is reported once and then has the type dyn.
class Checker {
 public:
  std::vector<Finding> Run(const Expr& condition) {
    const Type type = GetType(condition);
    if (type.kind != TypeKind::kBool && type.kind != TypeKind::kDyn) {
      Error(condition.begin,
            "a condition must be of the type bool, this one is of the type " + ToString(type));
    }
    return std::move(findings_);
  }

 private:
  // NOLINTBEGIN(misc-no-recursion): the parser bounds the depth of a tree
  Type GetType(const Expr& expr) {
    if (!expr.optional.empty()) {
      Error(expr.at, "unsupported syntax '?': conditions have no optional values");
    }
    switch (expr.kind) {
      case ExprKind::kConstant:
        return {std::visit(ConstantType{}, expr.value)};
      case ExprKind::kIdent:
        return OfName(expr);
      case ExprKind::kSelect:
        return OfSelection(expr);
      case ExprKind::kIndex:
        return OfIndex(expr);
      case ExprKind::kCall:
        return OfCall(expr);
      case ExprKind::kMember:
        return OfMember(expr);
      case ExprKind::kMacro:
        return OfMacro(expr);
      case ExprKind::kList:
      case ExprKind::kMap:
        return OfCollection(expr);
      case ExprKind::kMessage:
        for (const ExprPtr& value : expr.args) GetType(*value);
        return Undeclared(expr.at, expr.name, {});
    }
    return {};
  }

  Type OfName(const Expr& expr) {
    if (const Type* bound = Bound(expr.name)) return *bound;
    const std::string name = MakePath(expr).value_or("");
    if (IsTypeName(name) && name != "dyn") return {TypeKind::kType};
    return UndeclaredAttribute(expr.begin, name);
  }

  /// An attribute, or a field of a value.
  Type OfSelection(const Expr& expr) {
    const std::optional<std::string> path = MakePath(expr);
    const bool bound = path && Bound(path->substr(0, path->find('.'))) != nullptr;
    if (path && !bound) {
      if (const Attribute* attribute = FindIamAttribute(*path)) return attribute->type;
      if (!BeginsWithAttribute(*path)) return UndeclaredAttribute(expr.begin, *path);
    }
    const Type type = GetType(*expr.args[0]);
    if (type.kind == TypeKind::kMap) return {type.item};
    if (type.kind != TypeKind::kDyn) {
      Error(expr.at, "type '" + ToString(type) + "' does not support field selection");
    }
    return {};
  }

  Type OfIndex(const Expr& expr) {
    const Type target = GetType(*expr.args[0]);
    const Type index = GetType(*expr.args[1]);
    const TypeKind wanted = target.kind == TypeKind::kList ? TypeKind::kInt : target.key;
    if (!HoldsItems(target) || !Agree(index, {wanted})) {
      return NoOverload(expr.at, "_[_]", Listed({target, index}), {});
    }
    return {target.item};
  }

  std::vector<Type> CheckArguments(const Expr& expr, std::size_t first) {
    std::vector<Type> types;
    for (std::size_t i = first; i < expr.args.size(); ++i) types.push_back(GetType(*expr.args[i]));
    return types;
  }

  Type OfCall(const Expr& expr) {
    const std::vector<Type> arguments = CheckArguments(expr, 0);
    if (IsAny(expr.name, {"_==_", "_!=_", "_in_", "_?_:_"})) return OfGeneric(expr, arguments);
    const std::string name = expr.name.front() == '.' ? expr.name.substr(1) : expr.name;
    return Resolve(expr, name, nullptr, arguments);
  }

  /// Operators whose operands must match, whatever their types.
  Type OfGeneric(const Expr& expr, const std::vector<Type>& operands) {
    const Type& left = operands[0];
    const Type& right = operands[1];
    if (expr.name == "_?_:_") {
      if (!Agree(left, {TypeKind::kBool}) || !Agree(right, operands[2])) {
        return NoOverload(expr.at, expr.name, Listed(operands), {});
      }
      return Join(right, operands[2]);
    }
    bool agree = Agree(left, right);
    if (expr.name == "_in_") {
      const bool list = right.kind == TypeKind::kList || right.kind == TypeKind::kDyn;
      agree = (list && Agree(left, {right.item})) ||
              (right.kind == TypeKind::kMap && Agree(left, {right.key}));
    }
    if (!agree) NoOverload(expr.at, expr.name, Listed(operands), {});
    return {TypeKind::kBool};
  }

  /// A function that belongs to a name (resource.matchTag), or a method of a value.
  Type OfMember(const Expr& expr) {
    const std::vector<Type> arguments = CheckArguments(expr, 1);
    const std::optional<std::string> path = MakePath(*expr.args[0]);
    if (path && Bound(*path) == nullptr && IsNamespace(*path)) {
      return Resolve(expr, *path + "." + expr.name, nullptr, arguments);
    }
    const Type target = GetType(*expr.args[0]);
    return Resolve(expr, expr.name, &target, arguments);
  }

  Type Resolve(const Expr& expr, const std::string& name, const Type* target,
               const std::vector<Type>& arguments) {
    std::vector<std::string> forms;
    std::vector<const Overload*> fitting;
    for (const Overload& overload : IamOverloads()) {
      if (overload.name != name || overload.target.has_value() != (target != nullptr)) continue;
      forms.push_back(overload.text);
      const bool fits = target == nullptr || Agree(*target, *overload.target);
      if (fits && Takes(overload, arguments)) fitting.push_back(&overload);
    }
    if (!fitting.empty()) return MakeResult(expr, fitting);
    if (forms.empty()) return Undeclared(expr.at, name, KnownNames(target != nullptr));
    const std::string applied =
        (target != nullptr ? ToString(*target) + "." : "") + Listed(arguments);
    return NoOverload(expr.at, name, applied, forms);
  }

  /// For several forms with types known only later, their common type.
  Type MakeResult(const Expr& expr, const std::vector<const Overload*>& fitting) {
    const bool documented = std::any_of(fitting.begin(), fitting.end(),
                                        [](const Overload* form) { return form->documented; });
    if (!documented) Doubt(expr, *fitting.front());
    Type result = fitting.front()->result;
    for (const Overload* form : fitting) result = Join(result, form->result);
    return result;
  }

  Type OfMacro(const Expr& expr) {
    if (expr.name == "has") {
      GetType(*expr.args[0]);
      return {TypeKind::kBool};
    }
    const Type range = GetType(*expr.args[0]);
    if (!HoldsItems(range)) {
      Error(expr.args[0]->begin, "expression of type '" + ToString(range) +
                                     "' cannot be range of a comprehension (must be list, map, or "
                                     "dynamic)");
    }
    const TypeKind each = range.kind == TypeKind::kMap ? range.key : range.item;
    bound_.emplace_back(expr.args[1]->name, Type{each});
    const std::vector<Type> bodies = CheckArguments(expr, 2);
    bound_.pop_back();
    const bool maps = expr.name == "map";
    if ((!maps || bodies.size() == 2) && !Agree(bodies.front(), {TypeKind::kBool})) {
      Error(expr.args[2]->begin, "the predicate of " + expr.name +
                                     "() must be of the type bool, "
                                     "not " +
                                     ToString(bodies.front()));
    }
    if (maps) return {TypeKind::kList, bodies.back().kind};
    return expr.name == "filter" ? Type{TypeKind::kList, each} : Type{TypeKind::kBool};
  }

  Type OfCollection(const Expr& expr) {
    const bool map = expr.kind == ExprKind::kMap;
    const std::vector<Type> entries = CheckArguments(expr, 0);
    Type item;
    Type key;
    for (std::size_t i = 0; i < entries.size(); i += map ? 2 : 1) {
      key = i == 0 ? entries[i] : Join(key, entries[i]);
      const Type& value = entries[map ? i + 1 : i];
      item = i == 0 ? value : Join(item, value);
    }
    if (map) return {TypeKind::kMap, item.kind, key.kind};
    return {TypeKind::kList, item.kind};
  }
  // NOLINTEND(misc-no-recursion)

  [[nodiscard]] const Type* Bound(std::string_view name) const {
    const auto found = std::find_if(bound_.rbegin(), bound_.rend(),
                                    [&](const auto& variable) { return variable.first == name; });
    return found == bound_.rend() ? nullptr : &found->second;
  }

  /// "request.time.year": a prefix of it is an attribute.
  [[nodiscard]] static bool BeginsWithAttribute(const std::string& path) {
    const std::vector<Attribute>& known = IamAttributes();
    return std::any_of(known.begin(), known.end(), [&](const Attribute& attribute) {
      return path.substr(0, attribute.path.size() + 1) == std::string(attribute.path) + ".";
    });
  }

  [[nodiscard]] static bool IsNamespace(const std::string& path) {
    return IsAny(path, {"resource", "api", "compute"});
  }

  static std::vector<std::string> KnownNames(bool methods) {
    std::set<std::string> names;
    for (const Overload& overload : IamOverloads()) {
      if (overload.target.has_value() == methods) names.insert(overload.name);
    }
    return {names.begin(), names.end()};
  }

  Type UndeclaredAttribute(const Position& at, const std::string& path) {
    std::vector<std::string> names;
    for (const Attribute& attribute : IamAttributes()) names.emplace_back(attribute.path);
    return Undeclared(at, path, std::move(names));
  }

  Type Undeclared(const Position& at, const std::string& name,
                  std::vector<std::string> candidates) {
    const bool searches = name == "contains" || name == "matches";
    Error(at, "undeclared reference to '" + name + "' (in container '')" +
                  (searches ? "; conditions search texts by startsWith(), endsWith() and extract()"
                            : NearestSuggestion(name, candidates)));
    return {};
  }

  Type NoOverload(const Position& at, const std::string& name, const std::string& applied,
                  const std::vector<std::string>& forms) {
    std::string message =
        "found no matching overload for '" + name + "' applied to '" + applied + "'";
    const bool function = !forms.empty() && name.find('_') == std::string::npos;
    for (std::size_t i = 0; function && i < forms.size(); ++i) {
      message += (i > 0 ? ", " : forms.size() == 1 ? "; it is " : "; known are ") + forms[i];
    }
    if (applied == "(timestamp, string)" || applied == "(string, timestamp)") {
      message += "; a time is written timestamp(\"2027-06-01T00:00:00Z\")";
    }
    Error(at, std::move(message));
    return {};
  }

  void Doubt(const Expr& expr, const Overload& overload) {
    Report(Severity::kWarning, expr.at,
           overload.text +
               " belongs to the language, but is not documented for conditions: the "
               "service may refuse it");
  }
  void Error(const Position& at, std::string message) {
    Report(Severity::kError, at, std::move(message));
  }
  void Report(Severity severity, const Position& at, std::string message) {
    if (findings_.size() >= kMaxFindings) return;
    findings_.push_back({"ConditionCompileCheck", severity, at, std::move(message), {}});
  }

  std::vector<std::pair<std::string, Type>> bound_;  ///< Variables of macros, the innermost last.
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckTypes(const Expr& condition) { return Checker().Run(condition); }

}  // namespace bindery::cel
