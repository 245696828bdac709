#include "store/sql/parameters.h"

#include <array>

#include "store/sql/digest_bytes.h"
#include "store/sql/millis.h"

namespace bindery::store {

void Parameters::Bind(WallTime value) { Bind(ToMillis(value)); }

void Parameters::Bind(const MakeDigest& value) {
  std::array<char, kDigestBytes> bytes{};
  if (BytesOfDigest(value.text, bytes)) {
    statement_.BindCopy(++last_, {bytes.data(), bytes.size()});
  } else {
    Bind(value.text);
  }
}

void Parameters::Bind(const IdOrDigest& value) {
  if (value.id != 0) {
    Bind(value.id);
  } else {
    Bind(MakeDigest{value.digest});
  }
}

void Parameters::Bind(const WordOrText& value) {
  if (value.word != 0) {
    Bind(value.word);
  } else {
    Bind(value.text);
  }
}

void Parameters::Bind(const TextOrBlob& value) {
  if (value.blob) {
    Bind(BlobOf{value.text});
  } else {
    Bind(value.text);
  }
}

void Parameters::Bind(const std::optional<std::int64_t>& value) {
  if (value) {
    Bind(*value);
  } else {
    statement_.BindNull(++last_);
  }
}

}  // namespace bindery::store
