#include "server/requests/web_settings.h"

#include <utility>

#include "config/config_file.h"
#include "config/content_stamp.h"

namespace bindery::server {
namespace {

Expected<std::string> PemText(const config::PemSource& source) {
  if (source.file.empty()) return source.text;
  Expected<std::string> text = config::ReadConfigFile(source.file);
  if (!text) return Fail(text.error().Wrap("\"" + source.file.string() + "\""));
  return text;
}

httpd::ClientCertificates GetClients(config::ClientAuth auth) {
  switch (auth) {
    case config::ClientAuth::kNone:
      return httpd::ClientCertificates::kNone;
    case config::ClientAuth::kRequest:
      return httpd::ClientCertificates::kRequest;
    case config::ClientAuth::kRequireAny:
      return httpd::ClientCertificates::kRequireAny;
    case config::ClientAuth::kVerifyIfGiven:
      return httpd::ClientCertificates::kVerifyIfGiven;
    case config::ClientAuth::kRequireAndVerify:
      break;
  }
  return httpd::ClientCertificates::kRequireAndVerify;
}

Expected<std::shared_ptr<const httpd::TlsContext>> MakeContext(const config::WebTls& tls) {
  Expected<std::string> certificates = PemText(tls.certificate);
  if (!certificates) return Fail(certificates.error());
  Expected<std::string> key = PemText(tls.key);
  if (!key) return Fail(key.error());
  Expected<std::string> authorities = PemText(tls.client_ca);
  if (!authorities) return Fail(authorities.error());
  httpd::TlsOptions options;
  options.certificates = std::move(*certificates);
  options.key = std::move(*key);
  options.client_authorities = std::move(*authorities);
  options.clients = GetClients(tls.client_auth);
  options.client_names = tls.client_allowed_sans;
  options.least_version = tls.min_version;
  options.most_version = tls.max_version;
  options.ciphers = tls.cipher_suites;
  options.prefer_own_ciphers = tls.prefer_server_cipher_suites;
  options.curves = tls.curve_preferences;
  auto context = httpd::TlsContext::Make(options);
  if (!context) return Fail(context.error().Wrap("tls_server_config"));
  return context;
}

}  // namespace

Expected<WebSettings::InForce> WebSettings::Read() const {
  InForce read;
  if (file_.empty()) return read;
  config::WebConfigResult config = config::LoadWebConfig(file_);
  if (!config) {
    std::string text;
    for (const config::ConfigProblem& problem : config.error()) {
      text += (text.empty() ? "" : "\n") + problem.Text();
    }
    return Fail(Code::kInvalidArgument, std::move(text));
  }
  if (must_authenticate_ && !config->Authenticates()) {
    return Fail(Code::kFailedPrecondition,
                "\"" + file_.string() +
                    "\" requires no authentication: give it basic_auth_users, or client_auth_type "
                    "RequireAndVerifyClientCert");
  }
  if (config->tls) {
    auto context = MakeContext(*config->tls);
    if (!context) return Fail(context.error().Wrap("\"" + file_.string() + "\""));
    read.tls = std::move(*context);
  }
  read.config = std::move(*config);
  return read;
}

WebSettings::Stamps WebSettings::Look(const config::WebConfig& config) const {
  Stamps stamps;
  if (file_.empty()) return stamps;
  stamps.emplace_back(file_, config::MakeContentStamp(file_));
  for (const std::filesystem::path& file : config.Files()) {
    stamps.emplace_back(file, config::MakeContentStamp(file));
  }
  return stamps;
}

Expected<std::unique_ptr<WebSettings>> WebSettings::Open(const std::filesystem::path& file,
                                                         bool must_authenticate,
                                                         telemetry::Logger& logger) {
  std::unique_ptr<WebSettings> settings(new WebSettings(file, must_authenticate, logger));
  Expected<InForce> read = settings->Read();
  if (!read) return Fail(read.error());
  const MutexLock lock(settings->mutex_);
  settings->stamps_ = settings->Look(read->config);
  settings->in_force_ = std::make_shared<const InForce>(std::move(*read));
  return settings;
}

std::shared_ptr<const WebSettings::InForce> WebSettings::Now() {
  const MutexLock lock(mutex_);
  // Taken before the reading: later changes lead to a second reading, and so do newly named
  // files.
  Stamps stamps = Look(in_force_->config);
  if (stamps == stamps_) return in_force_;
  Expected<InForce> read = Read();
  if (read) {
    logger_.Info("web configuration reloaded", {{"file", file_.string()}});
    in_force_ = std::make_shared<const InForce>(std::move(*read));
  } else {
    logger_.Error("the web configuration cannot be used; the one before stays in force",
                  {{"error", read.error().message}});
  }
  stamps_ = std::move(stamps);
  return in_force_;
}

}  // namespace bindery::server
