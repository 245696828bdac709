#include "cel/syntax/builder.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace bindery::cel {

Builder::Builder(std::vector<Token> tokens, const Limits& limits)
    : tokens_(std::move(tokens)), limits_(limits) {}

std::vector<SyntaxError> Builder::TakeErrors() {
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const auto& a, const auto& b) { return a.at.offset < b.at.offset; });
  return std::move(errors_);
}

const Token& Builder::Ahead(std::size_t tokens) const {
  return tokens_[std::min(index_ + tokens, tokens_.size() - 1)];
}

const Token& Builder::Take() {
  const Token& token = tokens_[index_];
  if (index_ + 1 < tokens_.size()) ++index_;
  return token;
}

bool Builder::TakeIf(std::string_view symbol) {
  const bool found = Current().Is(symbol);
  if (found) Take();
  return found;
}

bool Builder::Expect(std::string_view symbol) {
  if (TakeIf(symbol)) return true;
  FailHere("mismatched input " + Shown() + " expecting '" + std::string(symbol) + "'");
  return false;
}

std::string Builder::Shown() const {
  constexpr std::size_t kLongest = 40;
  if (Current().kind == TokenKind::kEnd) return "'<EOF>'";
  const std::string_view text = Current().text;
  // Strings may be long, and those in triple quotes have lines.
  if (text.size() > kLongest || text.find_first_of("\r\n") != std::string_view::npos) {
    return std::string(Current().kind == TokenKind::kString ? "of a string" : "of a long token");
  }
  return "'" + std::string(text) + "'";
}

bool Builder::Enter() {
  if (nesting_ >= limits_.max_depth) {
    TooDeep();
    return false;
  }
  ++nesting_;
  return true;
}

Part Builder::Start(ExprKind kind, const Position& at, const Position& begin) {
  Part part;
  part.expr = std::make_unique<Expr>();
  part.expr->kind = kind;
  part.expr->at = at;
  part.begin = begin;
  return part;
}

void Builder::Adopt(Part& node, Part child) {
  node.depth = std::max(node.depth, child.depth + 1);
  node.expr->args.push_back(std::move(child.expr));
}

void Builder::MarkOptional(Expr& node, std::size_t entry, bool optional) {
  if (node.optional.empty() && !optional) return;
  node.optional.resize(entry + 1, false);
  node.optional[entry] = optional;
}

Part Builder::Finish(Part node) { return Finish(std::move(node), EndOfLast()); }

Part Builder::Finish(Part node, std::size_t end) {
  if (node.depth > limits_.max_depth) return TooDeep();
  node.expr->begin = node.begin;
  node.expr->end = node.end = end;
  return node;
}

std::size_t Builder::EndOfLast() const {
  const Token& token = tokens_[index_ - 1];
  return token.at.offset + token.text.size();
}

Part Builder::TooDeep() {
  if (!gave_up_) {
    Report(Current().at,
           "expression recursion limit exceeded: " + std::to_string(limits_.max_depth));
  }
  gave_up_ = true;
  return {};
}

Part Builder::FailHere(const std::string& what) {
  if (!gave_up_) Report(Current().at, "Syntax error: " + what);
  gave_up_ = true;
  return {};
}

void Builder::Report(const Position& at, std::string message) {
  constexpr std::size_t kMostErrors = 10;
  if (errors_.size() < kMostErrors) errors_.push_back({at, std::move(message)});
}

}  // namespace bindery::cel
