#include "grader/report/pictures/cause_pictures.h"

#include <algorithm>

#include "grader/report/pictures/choice.h"
#include "grader/report/pictures/pictures.h"

namespace tessera {

std::string CausePictures::of(const Cause& cause) {
  if (cause.after) return "";
  if (cause.title.empty()) {
    const ResultMap* map = map_of(cause, record_);
    return map != nullptr && is_new(map) ? map_text(*map, options_) : "";
  }
  const Item& item = record_.items[cause.item];
  if (const LineAccess* access = access_of(item, record_))
    return is_new(access) ? access_text(*access, options_) : "";
  return is_new(&item) ? time_text(item, options_) : "";
}

bool CausePictures::is_new(const void* subject) {
  if (std::ranges::count(drawn_, subject) > 0) return false;
  drawn_.push_back(subject);
  return true;
}

}  // namespace tessera
