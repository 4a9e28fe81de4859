"""All of Numba's private interfaces that Contienda uses, in one place.

Numba offers no way to keep compiled closures on disk, so `kept_code` reaches into its dispatcher and its
results. This is tested with the versions in `SUPPORTED`, which are also those that pyproject.toml lets pip install.
With any other, `why_not_kept` says so, and every process compiles for itself: slower, but with the same results.
"""

from __future__ import annotations

import itertools
import os
import secrets
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from functools import wraps
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from weakref import WeakSet

from contienda.compiled.stopping import WORK
from contienda.core.language import Text

__all__ = ["SUPPORTED", "CPUDispatcher", "cgutils", "numba", "populate_array", "why_not_kept"]

#: The releases of Numba whose private interfaces are known, as ``major.minor``.
SUPPORTED = ("0.68",)


class _NoSciPy(MetaPathFinder):
    """Hides SciPy from the thread that created it."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] == "scipy" and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{name} is not needed here", name=name)
        return None


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Hide SciPy from this thread, and only from this one.

    Numba imports SciPy's linear algebra if it finds it. Nothing here needs it, and it takes a fifth of a second.
    """
    finder = _NoSciPy()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


with _without_scipy():
    import numba
    import numba.np.arraymath  # otherwise it would look for SciPy when the first function is compiled

from llvmlite.binding import ffi as llvm  # noqa: E402
from numba.core import cgutils  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.np.arrayobj import populate_array  # noqa: E402


def _count_no_calls_of_llvm() -> None:
    """Keep Numba from announcing each of its calls of LLVM, before and after, to listeners that nobody has.

    There are 10,000 of them in a small search: a minimax took 2.04 s of CPU to compile, and 1.77 without (medians of
    three, interleaved).
    """
    lock = getattr(llvm.lib, "_lock", None)
    for told in list(getattr(lock, "_cblist", ())):
        if all(each.__module__ == "numba.core.base" for each in told):
            llvm.unregister_lock_callback(*told)


_count_no_calls_of_llvm()

#: Why compiled code is not kept with this version of Numba, or None.
why_not_kept: Text | None = None

try:
    from numba.core import config, event, imputils, sigutils, types
    from numba.core.bytecode import FunctionIdentity
    from numba.core.caching import FunctionCache, _Cache
    from numba.core.codegen import RuntimeLinker
    from numba.core.compiler import CompileResult
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.cpu import CPUContext
    from numba.core.dispatcher import Dispatcher
    from numba.core.extending import _Intrinsic as Intrinsic
    from numba.core.runtime.nrt import rtsys
    from numba.core.typing import templates
    from numba.core.typing.templates import Signature

    CompileResult._reduce, CompileResult._rebuild, FunctionIdentity._unique_ids  # noqa: B018 (is it there?)
except (ImportError, AttributeError) as error:
    why_not_kept = Text(
        "Numba {version} lacks what keeping compiled code needs ({error})", version=numba.__version__, error=error
    )
if numba.__version__.rpartition(".")[0] not in SUPPORTED:
    _known = ", ".join(SUPPORTED)
    why_not_kept = Text(
        "compiled code is not kept with Numba {version}, only with {known}", version=numba.__version__, known=_known
    )

if why_not_kept is None:
    __all__ += [
        "Dispatcher",
        "Intrinsic",
        "KeptCache",
        "Lean",
        "NumbasCache",
        "Signature",
        "cache_of",
        "compiling",
        "foreign_extension",
        "options_of",
        "put_cache",
        "rebuild",
        "reduce",
        "settings",
        "types",
    ]

    #: The base class of caches that Numba asks before it compiles a function, and fills afterwards.
    KeptCache = _Cache

    def put_cache(dispatcher: Any, cache: Any) -> None:
        """Make a function use this cache."""
        dispatcher._cache = cache

    def cache_of(dispatcher: Any) -> Any:
        """Return the cache of a function."""
        return dispatcher._cache

    def options_of(dispatcher: Any) -> str | None:
        """Return how a function is to be compiled; None if a user's own function or pipeline takes part in that."""
        pipeline = dispatcher._compiler.pipeline_class
        told = repr((sorted(dispatcher.targetoptions.items()), sorted(dispatcher.locals.items()), pipeline.__name__))
        return told if pipeline.__module__.partition(".")[0] == "numba" and " at 0x" not in told else None

    #: Numba's own cache (``cache=True``), which depends only on one file's date.
    NumbasCache = FunctionCache

    def reduce(result: Any) -> Any:
        """Return a compiled function in a form that can be pickled; None if its code holds addresses.

        Functions that call each other use pointers, which Numba fills in only right after compiling: code that is read
        back from disk would call address 0.
        """
        library = result.library
        through_pointers = any(v.name.startswith(RuntimeLinker.PREFIX) for v in library._final_module.global_variables)
        if library.has_dynamic_globals or result.lifted or through_pointers:
            return None
        return result._reduce()

    def rebuild(target_context: Any, reduced: Any) -> Any:
        """Return the compiled function from the form that `reduce` made.

        Numba would first load everything that it can compile, for 0.15 s. Code that is compiled already needs only what
        it calls at run time.
        """
        rtsys.initialize(target_context)
        return CompileResult._rebuild(target_context, *reduced)  # type: ignore[no-untyped-call]

    #: Numba's settings that never change its code; all others do, or might.
    _HARMLESS = frozenset(
        ("CACHE_DIR", "CACHE_LOCATOR_CLASSES", "COLOR_SCHEME", "FULL_TRACEBACKS", "NUMBA_DEFAULT_NUM_THREADS")
    ) | frozenset(("NUMBA_NUM_THREADS", "RUNNING_UNDER_PROFILER", "SHOW_HELP"))

    def settings(codegen: Any) -> str:
        """Return what determines machine code besides a function's content: the processor and Numba's settings."""
        told = {key: repr(value) for key, value in vars(config).items() if key.isupper() and key not in _HARMLESS}
        return repr((codegen.magic_tuple(), sorted(told.items())))

    class _Compiling(event.Listener, threading.local):
        """The functions that this thread is compiling, each because the one before calls it."""

        def __init__(self) -> None:
            self.functions: list[Any] = []

        def on_start(self, event: Any) -> None:
            self.functions.append(event.data["dispatcher"])

        def on_end(self, event: object) -> None:
            self.functions.pop()

    _compiling = _Compiling()
    event.register("numba:compile", _compiling)  # type: ignore[no-untyped-call]

    def compiling() -> bool:
        """Whether this thread is already compiling a function, which the next one is compiled for."""
        return bool(_compiling.functions)

    #: The code of functions that Python cannot call.
    _bare: WeakSet[Any] = WeakSet()
    _make_wrapper: Any = CPUContext.create_cpython_wrapper

    def _make_wrapper_if_needed(self: Any, library: Any, *others: Any, **options: Any) -> None:
        if len(_compiling.functions) > 1 and isinstance(_compiling.functions[-1], Lean):
            _bare.add(library)
        else:
            _make_wrapper(self, library, *others, **options)

    CPUContext.create_cpython_wrapper = _make_wrapper_if_needed  # type: ignore[method-assign]

    def _apart(compile_it: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """Compile in another thread if this one hears Ctrl-C, which would leave LLVM's objects in no order.

        Python frees them as the exception passes, and the process has died of that. Now the exception reaches the
        caller at once, and the compiler finishes behind it.
        """

        @wraps(compile_it)
        def compile_apart(self: Any, sig: Any) -> Any:
            if threading.current_thread() is not threading.main_thread():
                return compile_it(self, sig)
            found: Future[Any] = Future()

            def work() -> None:
                try:
                    found.set_result(compile_it(self, sig))
                except BaseException as error:
                    found.set_exception(error)

            threading.Thread(target=copy_context().run, args=(work,), name=WORK, daemon=True).start()
            return found.result()

        return compile_apart

    CPUDispatcher.compile = _apart(CPUDispatcher.compile)  # type: ignore[assignment, method-assign]

    class Lean(CPUDispatcher):
        """A function that takes less time to compile when another one calls it.

        Numba generates every function twice: for compiled callers and, around that, for Python. Of a search's functions
        Python calls one in ten; the wrappers of the rest took about a tenth of the compiler's time. So the wrapper is
        omitted until Python calls the function; then the whole function is compiled again.
        """

        def add_overload(self, cres: Any) -> None:
            if cres.library in _bare:
                self.overloads[tuple(cres.signature.args)] = cres  # but it is not registered for calls from Python
            else:
                super().add_overload(cres)

        @_apart
        def compile(self, sig: Any) -> Any:
            with global_compiler_lock:
                arguments = tuple(sigutils.normalize_signature(sig)[0])  # type: ignore[no-untyped-call]
                known: Any = self.overloads.get(arguments)
                if not compiling() and known is not None and known.library in _bare:
                    del self.overloads[arguments]
                return super().compile(sig)

    def _count_from_anywhere() -> None:
        """Number functions from a random start. Numba tells functions of the same name apart by a counter, which starts
        at 1 in every process: code from another process would be taken for this one's. A random start prevents that."""
        FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))

    _count_from_anywhere()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_count_from_anywhere)

    _looked_at = 0
    _foreign: list[str] = []

    def foreign_extension() -> str | None:
        """Return the module of a foreign ``@overload`` or the like, which may change any function's code; else None."""
        global _looked_at
        registry = templates.builtin_registry
        known = [*registry.functions, *registry.attributes, *imputils.builtin_registry.functions]
        if len(known) > _looked_at:
            _looked_at = len(known)
            _foreign.extend(module for module in map(_maker, known) if module.partition(".")[0] not in _NUMBAS)
        return _foreign[0] if _foreign else None

    #: Numba creates some of its own templates with `type`; their module is then the metaclass's, "abc".
    _NUMBAS = ("numba", __name__.partition(".")[0], "abc")

    def _maker(extension: Any) -> str:
        """Return the module in which a template, or its lowering (a tuple), was written."""
        made_by = extension[0] if isinstance(extension, tuple) else getattr(extension, "_overload_func", extension)
        return made_by.__module__ or "numba"
