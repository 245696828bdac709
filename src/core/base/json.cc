#include "core/base/json.h"

#include <exception>
#include <set>
#include <utility>
#include <vector>

#include "core/base/quoted.h"
#include "core/base/strict_json.h"

namespace bindery {
namespace {

/// The outcome of two members of one name.
enum class Doubled { kLastCounts, kRefused };

std::string DoubledMember(std::string_view name) {
  return "JSON with two members " + Quoted(name) + " in one object";
}

/// Builds a value from nlohmann's parser. nlohmann's own builder reserves no memory: a growing
/// ordered map copies all members, because their names are constant. Nor has it a limit of
/// depth.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(std::size_t max_depth, Doubled doubled) : max_depth_(max_depth), doubled_(doubled) {}

  /// Why no value exists; empty: the value may be taken.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] Json Take() { return std::move(root_); }

  bool null() override { return Put(nullptr); }
  bool boolean(bool value) override { return Put(value); }
  bool number_integer(number_integer_t value) override { return Put(value); }
  bool number_unsigned(number_unsigned_t value) override { return Put(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return Put(value); }
  bool string(string_t& value) override { return Put(std::move(value)); }
  bool binary(binary_t& value) override { return Put(std::move(value)); }
  bool start_object(std::size_t /*size*/) override {
    Json object = Json::object();
    object.get_ref<Json::object_t&>().reserve(kUsualMembers);
    return Open(std::move(object));
  }
  bool start_array(std::size_t /*size*/) override { return Open(Json::array()); }
  bool key(string_t& name) override {
    if (doubled_ == Doubled::kRefused && FindMember(*open_.back(), name) != nullptr) {
      fault_ = DoubledMember(name);
      return false;
    }
    name_ = std::move(name);
    return true;
  }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& failure) override {
    // nlohmann's texts quote only the last token read, and begin with a tag in brackets.
    fault_ = failure.what();
    const auto end_of_tag = fault_.find("] ");
    if (end_of_tag != std::string::npos) fault_.erase(0, end_of_tag + 2);
    fault_.insert(0, "not JSON: ");
    return false;
  }

 private:
  static constexpr std::size_t kUsualMembers = 4;

  /// The place of the next value. For accepted duplicate members the last counts.
  Json& Place() {
    if (open_.empty()) return root_;
    Json& parent = *open_.back();
    if (parent.is_array()) return parent.get_ref<Json::array_t&>().emplace_back();
    auto& members = parent.get_ref<Json::object_t&>();
    if (doubled_ == Doubled::kLastCounts) {
      for (auto& [name, value] : members) {
        if (name == name_) return value;
      }
    }
    return members.Container::emplace_back(std::move(name_), Json()).second;
  }

  bool Put(Json value) {
    Place() = std::move(value);
    return true;
  }

  bool Open(Json value) {
    if (open_.size() >= max_depth_) {
      fault_ = "JSON nested deeper than " + std::to_string(max_depth_);
      return false;
    }
    open_.push_back(&Place());
    *open_.back() = std::move(value);
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  const std::size_t max_depth_;
  const Doubled doubled_;
  Json root_;
  /// The places of open lists and maps. Their containers do not move meanwhile.
  std::vector<Json*> open_;
  std::string name_;  ///< Of the member that comes next.
  std::string fault_;
};

Expected<Json> Parse(std::string_view text, std::size_t max_depth, Doubled doubled) {
  Builder builder(max_depth, doubled);
  try {
    if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.Take();
    return Fail(Code::kInvalidArgument, builder.fault());
  } catch (const std::exception& failure) {
    return Fail(Code::kInvalidArgument, std::string("not JSON: ") + failure.what());
  }
}

/// The names of the members of the objects that a parser with a callback is in.
class NamesInUse {
 public:
  /// False when the object has a member of the name already. The events come from the callback; its
  /// depth is the depth of the members within an object.
  bool Take(int depth, Json::parse_event_t event, const Json& parsed) {
    const auto level = static_cast<std::size_t>(depth);
    if (level >= kDeepest) return true;  // No reader keeps what is nested so deep.
    if (event == Json::parse_event_t::object_start) {
      if (names_.size() < level + 2) names_.resize(level + 2);
      names_[level + 1].clear();
      return true;
    }
    if (event != Json::parse_event_t::key) return true;
    return names_[level].insert(parsed.get_ref<const std::string&>()).second;
  }

 private:
  static constexpr std::size_t kDeepest = 64;
  std::vector<std::set<std::string>> names_;  ///< By depth.
};

}  // namespace

Expected<Json> ParseJson(std::string_view text, std::size_t max_depth) {
  return Parse(text, max_depth, Doubled::kLastCounts);
}

Expected<Json> ParseStrictJson(std::string_view text, std::size_t max_depth) {
  return Parse(text, max_depth, Doubled::kRefused);
}

Expected<Json> ParseStrictJson(std::string_view text, const Json::parser_callback_t& keep) {
  NamesInUse names;
  std::string doubled;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (!names.Take(depth, event, parsed) && doubled.empty()) {
      doubled = DoubledMember(parsed.get_ref<const std::string&>());
    }
    return keep(depth, event, parsed);
  };
  Json value = Json::parse(text.begin(), text.end(), watch, /*allow_exceptions=*/false);
  if (!doubled.empty()) return Fail(Code::kInvalidArgument, std::move(doubled));
  if (value.is_discarded()) return Fail(Code::kInvalidArgument, "not JSON");
  return value;
}

const Json* FindMember(const Json& value, std::string_view name) {
  if (!value.is_object()) return nullptr;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it.key() == name) return &it.value();
  }
  return nullptr;
}

const Json* FindPath(const Json& value, std::initializer_list<std::string_view> path) {
  const Json* found = &value;
  for (const std::string_view name : path) {
    found = FindMember(*found, name);
    if (found == nullptr) return nullptr;
  }
  return found;
}

std::string StringMember(const Json& value, std::string_view name) {
  const Json* member = FindMember(value, name);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

}  // namespace bindery
