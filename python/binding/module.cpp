// The extension module hearsay._core, which the Python package uses.

#include <cerrno>
#include <string>
#include <system_error>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/threads.h"
#include "hearsay/version.h"
#include "python/binding/binding.h"

namespace {

// A ValueError with the attributes `place` and `message`, whose text is both.
void set_value_error(const hearsay::Error& error) {
  const pybind11::object value = pybind11::handle(PyExc_ValueError)(error.what());
  value.attr("place") = error.place();
  value.attr("message") = error.message();
  PyErr_SetObject(PyExc_ValueError, value.ptr());
}

// hearsay::Error (wrong data) becomes ValueError, but FileNotFoundError if a directory is missing,
// and std::system_error (a failure of the machine) becomes OSError with its errno. pybind11
// translates other exceptions; std::bad_alloc becomes MemoryError.
void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const hearsay::MissingDirectory& error) {
    const std::string reason = std::generic_category().message(ENOENT);
    PyErr_SetObject(PyExc_FileNotFoundError,
                    pybind11::make_tuple(ENOENT, reason, error.place()).ptr());
  } catch (const hearsay::Error& error) {
    set_value_error(error);
  } catch (const std::system_error& error) {
    PyErr_SetObject(PyExc_OSError, pybind11::make_tuple(error.code().value(), error.what()).ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  namespace python = hearsay::python;
  pybind11::options options;
  options.disable_function_signatures();  // docstrings begin with the signature as inspect reads it
  module.doc() = "The native part of hearsay; use the package.";
  module.attr("version") = hearsay::kVersion;
  module.attr("most_threads") = hearsay::kMostThreads;
  pybind11::register_exception_translator(&translate);
  python::register_graph(module);
  python::register_learner(module);
  python::register_high_probability(module);
  python::register_independence(module);
  python::register_experiment(module);
  python::register_own(module);
  python::register_catalogues(module);
  python::register_calibration(module);
  python::register_problem(module);
  python::register_evaluate(module);
  python::explain_wrong_calls(module);
}
