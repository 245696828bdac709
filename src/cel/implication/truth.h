#pragma once

// Private to src/cel/implication: possible outcomes of parts of expressions.

namespace bindery::cel {

/// The possible outcomes of an expression, as a sum of these.
using Truth = unsigned;
inline constexpr Truth kTrue = 1;
inline constexpr Truth kFalse = 2;
inline constexpr Truth kError = 4;
inline constexpr Truth kAnyTruth = kTrue | kFalse | kError;

constexpr Truth MakeTruth(bool holds) { return holds ? kTrue : kFalse; }

constexpr Truth Negated(Truth truth) {
  return (truth & kError) | ((truth & kTrue) != 0 ? kFalse : 0U) |
         ((truth & kFalse) != 0 ? kTrue : 0U);
}

/// Of `&&` and `||`. `decides`: the outcome of an operand that makes the other operand unimportant.
constexpr Truth Joined(Truth one, Truth two, Truth decides) {
  const Truth neutral = Negated(decides);
  const Truth errors = (one | two) & kError;
  Truth joined = (one | two) & decides;
  if ((one & two & neutral) != 0) joined |= neutral;
  // An error counts unless the other operand decides.
  const bool stays = (one & (neutral | kError)) != 0 && (two & (neutral | kError)) != 0;
  return stays ? joined | errors : joined;
}

/// Of `?:`.
constexpr Truth Chosen(Truth choice, Truth first, Truth second) {
  return ((choice & kTrue) != 0 ? first : 0U) | ((choice & kFalse) != 0 ? second : 0U) |
         (choice & kError);
}

}  // namespace bindery::cel
