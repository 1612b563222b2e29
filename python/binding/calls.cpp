// What pybind11 says of a call that does not fit a function's signature is a list of C++ types.
// Here functions with a signature explain such a call in words of Python (hearsay/_calls.py).

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

py::module_ calls() {
  return py::module_::import("hearsay._calls");
}

bool has_signature(const py::object& function) {
  return py::hasattr(function, "__text_signature__") &&
         !function.attr("__text_signature__").is_none();
}

std::string signature_of(const py::object& function) {
  return py::str(function.attr("__text_signature__"));
}

// Functions that are called in every round, and constructors. They get an overload that is tried
// last, so that a call which fits costs nothing more. pybind11 tries it before it converts
// arguments, so no argument of these functions may need a conversion.
bool takes_arguments_as_they_are(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"__init__", "choose", "ask", "observe",
                                                      "tell"};
  return std::ranges::find(kNames, name) != kNames.end();
}

void add_last_overload(const py::object& of_class, const std::string& name,
                       const py::object& function) {
  const std::string signature = signature_of(function);
  if (name == "__init__") {  // pybind11 gives it no object, as there is none yet
    of_class.attr("__init__") = py::cpp_function(
        [signature, title = py::str(of_class.attr("__name__")).cast<std::string>()](
            py::detail::value_and_holder& /*self*/, const py::args& given,
            const py::kwargs& keywords) {
          refuse_call(title, signature, py::args(py::make_tuple(py::none()) + given), keywords);
        },
        py::name("__init__"), py::is_method(of_class), py::sibling(function),
        py::detail::is_new_style_constructor());
    return;
  }
  of_class.attr(name.c_str()) = py::cpp_function(
      [name, signature](const py::args& given, const py::kwargs& keywords) {
        refuse_call(name, signature, given, keywords);
      },
      py::name(name.c_str()), py::is_method(of_class), py::sibling(function));
}

// A function that calls `function`, and explains a TypeError if the arguments are the cause.
auto explaining(const std::string& name, const py::object& function) {
  return [name, function, signature = signature_of(function)](
             const py::args& given, const py::kwargs& keywords) -> py::object {
    try {
      return function(*given, **keywords);
    } catch (py::error_already_set& error) {
      if (error.matches(PyExc_TypeError)) {
        calls().attr("explain")(name, signature, given, keywords);
      }
      throw;  // the arguments are not the cause
    }
  };
}

std::string doc_of(const std::string& name, const py::object& function) {
  return name + signature_of(function) + "\n--\n\n" + std::string(py::str(function.doc()));
}

void explain_method(const py::object& of_class, const std::string& name, bool is_static) {
  const py::object function = of_class.attr(name.c_str());
  if (!has_signature(function)) {
    return;
  }
  const std::string doc = doc_of(name, function);
  if (takes_arguments_as_they_are(name)) {
    add_last_overload(of_class, name, function);
  } else if (is_static) {
    of_class.attr(name.c_str()) = py::staticmethod(py::cpp_function(
        explaining(name, function), py::name(name.c_str()), py::scope(of_class), doc.c_str()));
  } else {
    of_class.attr(name.c_str()) = py::cpp_function(
        explaining(name, function), py::name(name.c_str()), py::is_method(of_class), doc.c_str());
  }
}

py::dict members_of(const py::object& object) {
  return py::dict(py::reinterpret_borrow<py::object>(object.attr("__dict__")).attr("copy")());
}

}  // namespace

void refuse_call(const std::string& function, const std::string& signature, const py::args& given,
                 const py::kwargs& keywords) {
  calls().attr("refuse")(function, signature, given, keywords);
  throw py::type_error(function + ": the arguments do not fit");  // refuse() has raised already
}

void explain_wrong_calls(py::module_& module) {
  const py::object is_class = py::module_::import("inspect").attr("isclass");
  for (const auto& [key, value] : members_of(module)) {
    const auto name = key.cast<std::string>();
    const auto object = py::reinterpret_borrow<py::object>(value);
    if (is_class(object).cast<bool>()) {
      for (const auto& [attribute, stored] : members_of(object)) {
        const auto method = attribute.cast<std::string>();
        if (method == "__init__" || method.front() != '_') {
          explain_method(object, method,
                         PyObject_TypeCheck(stored.ptr(), &PyStaticMethod_Type) != 0);
        }
      }
    } else if (has_signature(object)) {
      const std::string doc = doc_of(name, object);
      module.attr(name.c_str()) = py::cpp_function(explaining(name, object), py::name(name.c_str()),
                                                   py::scope(module), doc.c_str());
    }
  }
}

}  // namespace hearsay::python
