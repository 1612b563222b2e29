#pragma once

// What the parts of the module share. Each part registers one concept; none holds an algorithm: it
// turns what Python has into the core's words, and back.

#include <functional>
#include <memory>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "hearsay/environment/environment.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/play/run.h"

namespace hearsay::python {

namespace py = pybind11;

void register_graph(py::module_& module);
void register_learner(py::module_& module);
void register_independence(py::module_& module);
void register_experiment(py::module_& module);
void register_own(py::module_& module);

// `given` as numbers of so many dimensions, whatever its type and layout; a copy only where it is
// not made of aligned doubles. `place`: what messages call it. Raises TypeError for what are not
// real numbers, ValueError for another shape.
py::array_t<double> real_array(py::handle given, const char* place, py::ssize_t dimensions);

// Whether an array may be used without a copy: only where the caller has promised that it stays.
enum class Sharing { none, promised };

// A Graph as it is; anything that Graph(...) takes is made one.
Graph as_graph(py::handle given, Sharing sharing = Sharing::none);

// Runs `work` on another thread with the interpreter unlocked, while the calling thread looks for
// Ctrl-C ten times a second. `stop` is called, once, from the calling thread where there was one;
// the exception is raised when `work` has returned.
void run_interruptibly(const std::function<void()>& work, const std::function<void()>& stop);

// Makes a TypeError of an object that was never made (Graph.__new__(Graph)), where pybind11 would
// hand out raw memory as a value: it asks this function for that memory, and for nothing else.
template <class Value>
void refuse_unmade() {
  py::detail::get_type_info(typeid(Value), true)->operator_new = [](std::size_t) -> void* {
    throw py::type_error("the object was never made, expected one whose __init__ was called");
  };
}

// An environment of the core on its way through Python.
struct EnvironmentHandle {
  std::unique_ptr<Environment> environment;
};

// What Python gives to name a learner's stream of draws.
struct StreamNumbers {
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;
};

// A learner as Python has it: it knows what it was made from and draws from a stream of its own.
struct SeededLearner {
  LearnerSpec spec;
  StreamNumbers numbers;
  Stream stream;
  std::unique_ptr<Learner> learner;
};

}  // namespace hearsay::python
