#pragma once

// Private to src/cel: the rules of the grammar for literals. Each takes its tokens from the builder
// and returns their node.

#include "cel/syntax/ast.h"
#include "cel/syntax/builder.h"

namespace bindery::cel {

/// In "-1" and "4--1" the sign belongs to the number; in "--1" it does not.
[[nodiscard]] bool IsSignedNumberAhead(const Builder& builder);

/// A number (a kInt, kUint or kDouble), after its minus sign if `negative`. Reports a number that
/// does not fit into 64 bits; reading continues.
[[nodiscard]] Part ReadNumber(Builder& builder, bool negative);

/// A kString or kBytes.
[[nodiscard]] Part ReadText(Builder& builder);

/// Any single token for the value.
[[nodiscard]] Part ReadConstant(Builder& builder, Constant value);

}  // namespace bindery::cel
