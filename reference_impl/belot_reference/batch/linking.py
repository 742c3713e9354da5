"""How kernels become machine code: all that one calls is put together first, and optimised once.

Left to itself numba optimises a function, and again in whatever calls it, and in what calls that: three times the work.
"""

from collections.abc import Iterator
from typing import Any, Final

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering

# Steps of numba for what stands in no kernel (closures, ``with``, expressions of whole arrays, constants by type) or
# only tells of the rest; they take a fifth of the time.
_LEFT_OUT: Final = {
    *("WithLifting", "InlineClosureLikes", "MakeFunctionToJitFunction", "InlineInlinables", "InlineOverloads"),
    *("RewriteDynamicRaises", "FindLiterallyCalls", "LiteralUnroll", "LiteralPropagationSubPipelinePass"),
    *("DeadBranchPrune", "NopythonRewrites", "AnnotateTypes", "DumpParforDiagnostics"),
}


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that kernels call, as it was written; what Python calls takes it along."""

    def finalize(self) -> None:
        """Leave it as it is."""
        self._finalized = True


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that Python calls, with all the parts that it needs."""

    def finalize(self) -> None:
        """Take the parts along, and make machine code of the whole."""
        # What calls comes before what it calls, for a part that nobody has asked for yet is dropped.
        self._linking_libraries = [*dict.fromkeys(_parts_of(self))][::-1]
        super().finalize()


def _parts_of(library: Any) -> Iterator[Any]:
    for part in library._linking_libraries:
        yield from _parts_of(part)
        yield part


@register_pass(mutates_CFG=True, analysis_only=False)
class _WritePart(NativeLowering):  # type: ignore[misc]
    _name = "belot_write_part"

    def run_pass(self, state: Any) -> bool:
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba tells functions apart by what Python would call; of a part there is nothing to call.
        name = state.library.__dir__
        state.targetctx.insert_user_function(name, state["cr"].fndesc, [state.library])
        state["cr"] = state["cr"]._replace(cfunc=name)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _WriteWhole(NativeLowering):  # type: ignore[misc]
    _name = "belot_write_whole"

    def run_pass(self, state: Any) -> bool:
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


def _steps(state: Any, lowering: Any) -> list[Any]:
    manager = PassManager("belot")
    for step, purpose in DefaultPassBuilder.define_nopython_pipeline(state).passes:
        if step.__name__ not in _LEFT_OUT:
            manager.add_pass(lowering if step is NativeLowering else step, purpose)
    manager.finalize()
    return [manager]


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles what kernels call."""

    def define_pipelines(self) -> list[Any]:
        """Return the steps from Python to code that is not optimised yet."""
        return _steps(self.state, _WritePart)


class WholeCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles what Python calls."""

    def define_pipelines(self) -> list[Any]:
        """Return the steps from Python to machine code."""
        return _steps(self.state, _WriteWhole)
