#include "access/role_file.h"

#include <exception>
#include <istream>
#include <utility>
#include <vector>

#include "access/text_file.h"
#include "core/base/json.h"

namespace bindery::access {
namespace {

constexpr std::size_t kMostRoleMebibytes = 64;
constexpr std::size_t kDeepestRole = 64;
constexpr const char* kWrongForm = "expected a role, a list of roles, or {\"roles\": [...]}";

/// Reads roles from nlohmann's parser: a tree of all roles of a cloud would take ten times the
/// memory of the file.
class RoleReader final : public nlohmann::json_sax<Json> {
 public:
  using Take = std::function<void(const std::string& role, bool has)>;

  /// Both must outlive the object.
  RoleReader(const std::string& permission, const Take& take)
      : permission_(permission), take_(take) {}

  /// Why the file cannot be used; may be empty.
  [[nodiscard]] const std::string& fault() const { return fault_; }

  bool null() override { return Value(); }
  bool boolean(bool value) override {
    if (IsMember("deleted")) role_.deleted = value;
    return Value();
  }
  bool number_integer(number_integer_t /*value*/) override { return Value(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return Value(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return Value(); }
  bool binary(binary_t& /*value*/) override { return Value(); }
  bool string(string_t& value) override {
    if (Place() == In::kPermissions) {
      role_.has = role_.has || value == permission_;
      return true;
    }
    if (IsMember("stage")) role_.disabled = value == "DISABLED";
    if (IsMember("name")) role_.name = std::move(value);
    return Value();
  }
  bool key(string_t& name) override {
    key_ = std::move(name);
    if (IsMember("includedPermissions")) role_.listed = role_.malformed = role_.has = false;
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    const bool is_role = Place() == In::kDocument || Place() == In::kRoles;
    if (!is_role) return Value() && Open(In::kOther);
    role_ = {};
    return Open(places_.empty() ? In::kDocumentRole : In::kRole);
  }
  bool end_object() override {
    const In ended = Close();
    const bool is_role = ended == In::kRole || (ended == In::kDocumentRole && !has_roles_);
    return is_role ? EndRole() : true;
  }
  bool start_array(std::size_t /*size*/) override {
    const bool lists_roles =
        Place() == In::kDocument || (Place() == In::kDocumentRole && key_ == "roles");
    if (lists_roles) {
      has_roles_ = true;
      return Open(In::kRoles);
    }
    if (!IsMember("includedPermissions")) return Value() && Open(In::kOther);
    role_.listed = true;
    return Open(In::kPermissions);
  }
  bool end_array() override {
    Close();
    return true;
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& failure) override {
    fault_ = failure.what();
    // A tag in brackets.
    if (const auto end = fault_.find("] "); end != std::string::npos) fault_.erase(0, end + 2);
    fault_.insert(0, "not JSON: ");
    return false;
  }

 private:
  enum class In { kDocument, kDocumentRole, kRoles, kRole, kPermissions, kOther };
  struct Role {
    std::string name;
    bool deleted = false;
    bool disabled = false;
    bool listed = false;     ///< Has a list of permissions.
    bool malformed = false;  ///< The list has something else than permissions.
    bool has = false;        ///< The list has the permission.
  };

  [[nodiscard]] In Place() const { return places_.empty() ? In::kDocument : places_.back(); }

  /// The next value is this member of a role.
  [[nodiscard]] bool IsMember(const char* name) const {
    return (Place() == In::kRole || Place() == In::kDocumentRole) && key_ == name;
  }

  /// A value that is neither a role, nor a list of roles or permissions.
  bool Value() {
    switch (Place()) {
      case In::kDocument:
        return Refuse(kWrongForm);
      case In::kDocumentRole:
        return key_ == "roles" ? Refuse(kWrongForm) : true;
      case In::kRoles:
        return Refuse("a role has no name");
      case In::kPermissions:
        role_.malformed = true;
        return true;
      case In::kRole:
      case In::kOther:
        return true;
    }
    return true;
  }

  bool Refuse(std::string why) {
    fault_ = std::move(why);
    return false;
  }

  bool Open(In place) {
    if (places_.size() >= kDeepestRole) {
      return Refuse("JSON nested deeper than " + std::to_string(kDeepestRole));
    }
    places_.push_back(place);
    return true;
  }

  In Close() {
    const In ended = places_.back();
    places_.pop_back();
    return ended;
  }

  bool EndRole() {
    if (role_.name.empty()) return Refuse("a role has no name");
    const bool in_force = !role_.deleted && !role_.disabled;
    if (in_force && (!role_.listed || role_.malformed)) {
      return Refuse(role_.name +
                    " has no includedPermissions: roles are listed without them by default");
    }
    take_(role_.name, in_force && role_.has);
    return true;
  }

  const std::string& permission_;
  const Take& take_;
  std::vector<In> places_;  ///< The open lists and maps.
  std::string key_;         ///< The member that was read last.
  Role role_;               ///< The one under way.
  bool has_roles_ = false;  ///< The document lists roles.
  std::string fault_;
};

}  // namespace

Expected<void> ReadRoleFile(const std::filesystem::path& file, const std::string& permission,
                            const std::function<void(const std::string& role, bool has)>& take) {
  auto stream = OpenTextFile(file, kMostRoleMebibytes);
  if (!stream) return Fail(stream.error());
  RoleReader reader(permission, take);
  std::string fault;
  try {
    if (!Json::sax_parse(*stream, &reader)) fault = reader.fault();
  } catch (const std::exception& failure) {
    fault = std::string("not JSON: ") + failure.what();
  }
  if (stream->bad()) fault = "cannot be read";
  if (fault.empty()) return {};
  return Fail(Code::kInvalidArgument, file.string() + ": " + fault);
}

}  // namespace bindery::access
