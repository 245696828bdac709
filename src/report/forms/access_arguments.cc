// What a question about access is made of, as texts of a command line or a query.

#include "report/access/access_report.h"

namespace bindery::report {

Expected<void> AddAttribute(const std::string& text,
                            std::map<std::string, std::string>& attributes) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Fail(Code::kInvalidArgument,
                "\"" + text + "\" is not name=value, such as resource.name=projects/acme");
  }
  attributes[text.substr(0, equals)] = text.substr(equals + 1);
  return {};
}

}  // namespace bindery::report
