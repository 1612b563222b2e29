// Values of fields (hearsay/base/fields.h) from Python and to Python.

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"
#include "python/binding/binding.h"

namespace hearsay::python {

FieldValue from_python(const FieldInfo& info, py::handle given) {
  if (given.is_none()) {
    return {};
  }
  if (py::isinstance<py::bool_>(given)) {
    return given.cast<bool>();
  }
  if (py::isinstance<py::str>(given)) {
    return given.cast<std::string>();
  }
  if (PyIndex_Check(given.ptr()) != 0) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    const unsigned long long whole = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred() == nullptr) {
      return std::uint64_t{whole};
    }
    PyErr_Clear();  // negative or too large: converted to a real number, which the field refuses
  }
  const double real = PyFloat_AsDouble(given.ptr());
  if (real == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    const std::string type = py::str(py::type::of(given).attr("__name__"));
    throw py::type_error(
        fmt::format("{}: is of type {}, expected {}", info.name, type, expected(info)));
  }
  return real;
}

void refuse_field(const std::string& name, const char* what, std::span<const FieldInfo> fields) {
  std::vector<std::string_view> known;
  std::ranges::transform(fields, std::back_inserter(known), &FieldInfo::name);
  throw py::type_error(
      fmt::format("{} is not {}, {}", in_quotes(name), what, expected_one_of(name, known)));
}

py::object to_python(const FieldInfo& info, const FieldValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    return info.none.empty() ? py::object(py::none()) : py::str(std::string(info.none));
  }
  return std::visit([](const auto& each) -> py::object { return py::cast(each); }, value);
}

}  // namespace hearsay::python
