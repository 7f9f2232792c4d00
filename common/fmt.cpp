// Functions that fmt 9 declares in its headers and defines in its library. They are compiled once
// here: the system's package of fmt may have no static library, and with fmt's header-only mode
// every file that formats would compile them again.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template dragonbox::decimal_fp<float> dragonbox::to_decimal(float x) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double x) noexcept;

template locale_ref::locale_ref(const std::locale& locale);
template std::locale locale_ref::get<std::locale>() const;

template thousands_sep_result<char> thousands_sep_impl(locale_ref locale);
template char decimal_point_impl(locale_ref locale);

}  // namespace detail
FMT_END_NAMESPACE
