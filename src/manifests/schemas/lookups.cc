#include "manifests/schemas.h"

namespace bindery {

bool IsLookup(const TypeToken& token) {
  return token == GetImportDataFileSchema().token || token == GetCurrentUserSchema().token;
}

}  // namespace bindery
