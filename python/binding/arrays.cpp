#include <string>

#include <fmt/format.h>

#include "python/binding/binding.h"

namespace hearsay::python {

py::object any_array(py::handle given, const char* place) {
  try {
    return py::module_::import("numpy").attr("asarray")(given);
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) {
      throw;
    }
    throw py::value_error(
        fmt::format("{}: is no array, expected real numbers, in rows of equal length", place));
  }
}

py::array_t<double> real_array(py::handle given, const char* place, py::ssize_t dimensions) {
  using Reals = py::array_t<double>;
  py::object array;
  if (py::isinstance<Reals>(given)) {
    array = py::reinterpret_borrow<py::object>(given);
  } else {
    array = any_array(given, place);
    const std::string kind = py::str(array.attr("dtype").attr("kind"));
    if (kind.find_first_of("biuf") == std::string::npos) {
      throw py::type_error(fmt::format("{}: has type {}, expected real numbers", place,
                                       std::string(py::str(array.attr("dtype")))));
    }
    array = array.attr("astype")("float64");
  }
  auto reals = py::reinterpret_borrow<Reals>(array);
  if ((reals.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0) {
    reals = py::reinterpret_borrow<Reals>(reals.attr("copy")());
  }
  if (reals.ndim() != dimensions) {
    throw py::value_error(
        fmt::format("{}: has {} dimensions, expected {}", place, reals.ndim(), dimensions));
  }
  return reals;
}

}  // namespace hearsay::python
