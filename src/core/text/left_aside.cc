#include "core/text/left_aside.h"

#include "core/text/count.h"

namespace bindery {

std::string DeletedLeftAside(std::size_t count) {
  return Count(count, "deleted principal") + " (deleted:…) " +
         (count == 1 ? "is left aside: it holds" : "are left aside: they hold") + " nothing";
}

std::string OnRequestLeftAside(std::size_t count, std::string_view noun, std::string_view what) {
  return Count(count, noun) + " " + std::string(what) + " " +
         (count == 1 ? "is left aside: it ends by itself"
                     : "are left aside: they end by themselves");
}

}  // namespace bindery
