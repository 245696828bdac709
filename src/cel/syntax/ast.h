#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace bindery::cel {

/// A place in the source. Line and column count from 1; columns are code points, as the service's
/// own messages count them.
struct Position {
  std::size_t offset = 0;  ///< In bytes.
  int line = 1;
  int column = 1;
};

struct Bytes {
  std::string value;
  bool operator==(const Bytes&) const = default;
};

/// A literal: null, bool, int, uint, double, string or bytes.
using Constant =
    std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Bytes>;

enum class ExprKind {
  kConstant,  ///< `value`
  kIdent,     ///< `name`; a leading dot is part of it (".google.type")
  kSelect,    ///< `args[0]`.`name`
  kIndex,     ///< `args[0]`[`args[1]`]
  kCall,  ///< `name`(`args`…), a global function or an operator; operators are named as in CEL's
          ///< own trees: "_&&_", "_||_", "!_", "-_", "_+_", "_?_:_", "_in_", "_==_", …
  kMember,   ///< `args[0]`.`name`(`args[1]`…)
  kMacro,    ///< has, all, exists, exists_one, map, filter, unexpanded: as kMember or kCall (has),
             ///< with the variables as kIdent among `args`
  kList,     ///< [`args`…]; `optional` marks the elements written with a '?'
  kMap,      ///< {`args[0]`: `args[1]`, …}: keys and values in turn
  kMessage,  ///< `name`{`fields[0]`: `args[0]`, …}
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// A node of the tree. The parser bounds the depth, so that a recursive visit (and the destructor)
/// is safe.
struct Expr {
  ExprKind kind = ExprKind::kConstant;
  Position at;          ///< Of its first character; of an operator: of the operator.
  Position begin;       ///< Of the whole, operands included …
  std::size_t end = 0;  ///< … and where it ends, in bytes.
  Constant value = nullptr;
  std::string name;
  std::vector<ExprPtr> args;
  std::vector<std::string> fields;
  /// Of kSelect and kIndex: `.?` and `[?`; one entry. Of a list, map or message: which entries have
  /// a '?'; empty when none has.
  std::vector<bool> optional;
};

}  // namespace bindery::cel
