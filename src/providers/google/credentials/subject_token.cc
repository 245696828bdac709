#include "providers/google/credentials/subject_token.h"

#include "cloud/credentials/small_file.h"
#include "cloud/credentials/text.h"
#include "core/base/strict_json.h"
#include "providers/google/credentials/token_endpoint.h"

namespace bindery::google {
namespace {

tl::unexpected<Error> NoToken(const SubjectTokenSource& source, const std::string& why) {
  return Fail(Code::kUnauthenticated, "the subject token's " + source.Name() + " " + why);
}

Expected<std::string> ReadTokenFile(const SubjectTokenSource& source) {
  auto file = cloud::ReadSmallFile(source.file);
  if (!file) return Fail(file.error().Wrap("the subject token"));
  return std::move(file->text);
}

Expected<std::string> FromUrl(const SubjectTokenSource& source, const TokenContext& context,
                              MonoTime give_up_at) {
  cloud::HttpRequest request;
  request.url = source.url;
  for (const auto& header : source.headers) request.headers.push_back(header);
  request.timeout = kTokenTimeout;
  request.max_response_bytes = cloud::kMaxCredentialBytes;
  // Plain HTTP goes to the machine or its link: no proxy leads to either.
  request.direct = source.url.rfind("http://", 0) == 0;
  request.service = "subjecttoken";
  request.operation = "get";
  auto response = SendPatiently(context, request, give_up_at);
  if (!response) return Fail(response.error().Wrap("the subject token"));
  if (response->status == 200) return std::move(response->body);
  tl::unexpected<Error> refused =
      NoToken(source, "answered HTTP " + std::to_string(response->status));
  Error error = std::move(refused.value());
  if (response->status >= 500 || response->status == 429) error.code = Code::kUnavailable;
  return Fail(std::move(error));
}

/// The replacement for an unsupported kind of source; empty when supported.
std::string Instead(const std::string& member) {
  const std::string others =
      "use a credential_source with \"file\" or \"url\", or a service account key";
  if (member == "executable") return "is not supported: no program is run; " + others;
  if (member == "certificate") return "is not supported: " + others;
  return "is not supported: AWS needs signed requests; let a sidecar write a token to a file and " +
         others;
}

void RefuseUnsupported(FieldReader& source) {
  const std::string environment = source.OptionalText("environment_id");
  if (environment.rfind("aws", 0) == 0) {
    source.Fault("environment_id", "\"aws1\" " + Instead("environment_id"), Code::kUnimplemented);
  } else if (!environment.empty()) {
    source.Fault("environment_id", "is not known: use a credential_source with \"file\" or \"url\"",
                 Code::kUnimplemented);
  }
  for (const char* member : {"executable", "certificate"}) {
    if (source.Has(member)) source.Fault(member, Instead(member), Code::kUnimplemented);
  }
}

}  // namespace

std::string SubjectTokenSource::Name() const {
  return file.empty() ? "URL " + url.substr(0, url.find('?')) : "file \"" + file + "\"";
}

Expected<std::string> SubjectTokenSource::Get(const TokenContext& context,
                                              MonoTime give_up_at) const {
  auto text = file.empty() ? FromUrl(*this, context, give_up_at) : ReadTokenFile(*this);
  if (!text) return text;
  std::string token(cloud::Trimmed(*text));
  if (!json_field.empty()) {
    const auto document = ParseStrictJson(*text);
    if (!document || !document->is_object()) return NoToken(*this, "does not hold a JSON object");
    token = StringMember(*document, json_field);
    if (token.empty()) return NoToken(*this, "holds no string \"" + json_field + "\"");
  }
  if (token.empty()) return NoToken(*this, "is empty");
  return token;
}

SubjectTokenSource ParseSubjectTokenSource(FieldReader& file) {
  SubjectTokenSource result;
  auto source = file.Object("credential_source");
  if (!source) return result;
  RefuseUnsupported(*source);
  if (source->Has("file") && source->Has("url")) {
    source->Fault("file", "and \"url\" exclude each other");
  } else if (source->Has("url")) {
    result.url = source->LocalServiceUrl("url");
    result.headers = source->OptionalMap("headers");
  } else {
    result.file = source->Text("file");
  }
  if (auto format = source->OptionalObject("format")) {
    const std::string type = format->OptionalText("type");
    if (type == "json") {
      result.json_field = format->Text("subject_token_field_name");
    } else if (!type.empty() && type != "text") {
      format->Fault("type", "must be \"text\" or \"json\"");
    }
    source->TakeFault(*format);
  }
  file.TakeFault(*source);
  return result;
}

}  // namespace bindery::google
