#include "cloud/curl/ca_file.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace bindery::cloud {
namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};

tl::unexpected<Error> BadCaFile(const std::string& file, const std::string& why) {
  ERR_clear_error();
  return Fail(Code::kInvalidArgument, "\"" + file + "\" " + why);
}

}  // namespace

Expected<void> CheckCaFile(const std::string& file) {
  if (file.empty()) return {};
  const std::unique_ptr<BIO, FreeBio> bio(BIO_new_file(file.c_str(), "r"));
  if (bio == nullptr) {
    return BadCaFile(file, "cannot be read: " + std::generic_category().message(errno));
  }
  for (int read = 0;; ++read) {
    const std::unique_ptr<X509, FreeCertificate> certificate(
        PEM_read_bio_X509_AUX(bio.get(), nullptr, nullptr, nullptr));
    if (certificate != nullptr) continue;
    // The end of the file is an error too, but the expected one.
    const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    if (!at_end) return BadCaFile(file, "holds a certificate that cannot be read");
    if (read == 0) return BadCaFile(file, "holds no PEM certificate");
    ERR_clear_error();
    return {};
  }
}

}  // namespace bindery::cloud
