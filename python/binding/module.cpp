// hearsay._core: the core, as the package around it needs it.

#include <system_error>

#include "hearsay/base/error.h"
#include "hearsay/version.h"
#include "python/binding/binding.h"

namespace {

// What the core says of wrong data is a ValueError, of files that cannot be read or written an
// OSError; pybind11 does the rest (bad_alloc is a MemoryError).
void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const hearsay::Error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::system_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  namespace python = hearsay::python;
  pybind11::options options;
  options.disable_function_signatures();  // the stubs have them
  module.doc() = "The native part of hearsay; use the package.";
  module.attr("version") = hearsay::kVersion;
  pybind11::register_exception_translator(&translate);
  python::register_graph(module);
  python::register_learner(module);
  python::register_independence(module);
  python::register_experiment(module);
  python::register_own(module);
}
