// Values of fields (hearsay/base/fields.h) from Python and to Python.

#include <string>
#include <variant>

#include <fmt/format.h>

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

py::object to_python(const FieldInfo& info, const FieldValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    return info.none.empty() ? py::object(py::none()) : py::str(std::string(info.none));
  }
  return std::visit([](const auto& each) -> py::object { return py::cast(each); }, value);
}

}  // namespace hearsay::python
