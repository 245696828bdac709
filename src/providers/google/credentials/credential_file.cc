#include "providers/google/credentials/credential_file.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cloud/credentials/text.h"
#include "core/base/wipe.h"
#include "providers/google/credentials/field_reader.h"

namespace bindery::google {
namespace {

using ParseFlow = ParsedCredential (*)(FieldReader&, const TokenContext&);

struct FlowEntry {
  std::string_view type;
  ParseFlow parse = nullptr;  ///< Null: not supported.
  std::string_view instead;   ///< What to use in its place.
};

constexpr std::array<FlowEntry, 6> kFlows = {{
    {"service_account", &ParseServiceAccount, ""},
    {"authorized_user", &ParseAuthorizedUser, ""},
    {"external_account", &ParseExternalAccount, ""},
    {"impersonated_service_account", &ParseImpersonated, ""},
    {"external_account_authorized_user", nullptr,
     "it is a person's sign-in with a workforce pool; use \"external_account\" with a file or URL, "
     "or a service account"},
    {"gdch_service_account", nullptr,
     "Google Distributed Cloud has none of the services that are called here; use a key of type "
     "\"service_account\""},
}};

ParsedCredential ParseByType(FieldReader& file, const TokenContext& context) {
  if (!file.Has("type") && (file.Has("installed") || file.Has("web"))) {
    file.Fault("type",
               "is missing: this is the secret of an OAuth client, not a credential; run "
               "`gcloud auth application-default login --client-id-file=FILE` with it");
    return {};
  }
  const std::string type = file.Text("type");
  if (file.fault()) return {};
  for (const FlowEntry& flow : kFlows) {
    if (flow.type != type) continue;
    if (flow.parse != nullptr) return flow.parse(file, context);
    file.Fault("type", "\"" + type + "\" is not supported: " + std::string(flow.instead),
               Code::kUnimplemented);
    return {};
  }
  file.Fault("type",
             "is not known: expected service_account, authorized_user, external_account or "
             "impersonated_service_account");
  return {};
}

/// Wipes the texts in a document when the scope ends: the key is one of the texts.
class WipeTexts {
 public:
  explicit WipeTexts(Json& document) : document_(document) {}
  ~WipeTexts() {
    std::vector<Json*> left = {&document_};
    while (!left.empty()) {
      Json& value = *left.back();
      left.pop_back();
      if (value.is_string()) Wipe(value.get_ref<std::string&>());
      if (!value.is_structured()) continue;
      for (Json& member : value) left.push_back(&member);
    }
  }
  WipeTexts(const WipeTexts&) = delete;
  WipeTexts& operator=(const WipeTexts&) = delete;

 private:
  Json& document_;
};

class FileFollower final : public TokenSource {
 public:
  FileFollower(std::string path, LoadedCredential loaded, TokenContext context)
      : path_(std::move(path)),
        context_(std::move(context)),
        version_(loaded.version),
        current_(std::move(loaded.parsed.source)) {}

  Expected<AccessToken> Fetch(MonoTime give_up_at) override {
    const std::optional<Error> unusable = TakeUpChanges();
    auto token = current_->Fetch(give_up_at);
    if (token || token.error().code == Code::kCancelled) return token;
    // The error of the new file is nearer to the cause than the outcome of the old one.
    if (unusable) return Fail(*unusable);
    return Fail(token.error().Wrap(cloud::CredentialFileName(path_)));
  }

 private:
  /// Reads a changed file again; returns the error of the new file, if any.
  std::optional<Error> TakeUpChanges() {
    const auto version = cloud::VersionOfFile(path_);
    if (!version) return version.error();
    if (*version == version_) return std::nullopt;
    auto loaded = LoadCredentialFile(path_, context_);
    if (!loaded) return loaded.error();
    version_ = loaded->version;
    current_ = std::move(loaded->parsed.source);
    return std::nullopt;
  }

  const std::string path_;
  const TokenContext context_;
  cloud::FileVersion version_;
  std::unique_ptr<TokenSource> current_;
};

}  // namespace

std::string GetUniverse(FieldReader& file) {
  std::string universe = file.OptionalText("universe_domain");
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-";
  if (universe.find_first_not_of(kAllowed) != std::string::npos) {
    file.Fault("universe_domain", "is not a domain name");
  }
  return universe.empty() ? kDefaultUniverse : universe;
}

Expected<LoadedCredential> LoadCredentialFile(const std::string& path,
                                              const TokenContext& context) {
  auto content = cloud::ReadSmallFile(path);
  if (!content) return Fail(std::move(content.error()));
  const std::string where = cloud::CredentialFileName(path);
  // The parser's own message may quote a part of a key.
  auto document = ParseJson(content->text);
  if (!document || !document->is_object()) {
    return Fail(Code::kInvalidArgument, where + " does not hold a JSON object");
  }
  const WipeTexts wipe(*document);
  FieldReader file(*document, where);
  LoadedCredential loaded;
  loaded.parsed = ParseByType(file, context);
  loaded.quota_project = file.OptionalText("quota_project_id");
  loaded.universe_domain = GetUniverse(file);
  loaded.version = content->version;
  if (file.fault()) return Fail(*file.fault());
  if (loaded.parsed.holds_secret) loaded.warning = cloud::AccessWarning(path, content->mode);
  return loaded;
}

std::unique_ptr<TokenSource> FollowCredentialFile(std::string path, LoadedCredential loaded,
                                                  TokenContext context) {
  return std::make_unique<FileFollower>(std::move(path), std::move(loaded), std::move(context));
}

}  // namespace bindery::google
