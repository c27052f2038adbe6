"""The laws of the house, each held by a test that reads the source."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.house import FLOORS, NAME, PACKAGE, ROOT, Module, height, modules
from windowkeeper_cli.model.registry import Registry

MODULES = modules()
PURE = {"model", "tokens", "guards", "rules", "strategies"}
ALLOWED = {
    "rich": {"render", "cli"},
    "typer": {"cli"},
    "pydantic": {"policy"},
    "pydantic_core": {"policy"},
    "orjson": {"formats", "replay", "report", "render", "cli"},
    "zstandard": {"formats"},
    "compression": {"formats"},
    # Prices are read where an option asks for them; below cli they are plain numbers.
    "genai_prices": {"cli"},
}
IMPURE_IMPORTS = {"random", "time", "secrets", "uuid", "socket", "urllib.request", "http.client", "subprocess"}
TOUCHES_FILES = {"cli", "formats", "archive"}


def ids(module: Module) -> str:
    return module.name


def floor_of(dotted: str) -> str | None:
    parts = dotted.split(".")
    if parts[0] != NAME or len(parts) < 2:
        return None
    return parts[1] if any(parts[1] in names for names in FLOORS) else None


def test_every_folder_is_a_floor() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set().union(*FLOORS)


def test_top_level_is_the_fixed_one() -> None:
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    extra = names - {"pyproject.toml", NAME, "fixtures", "tests", "man", "README.md"}
    assert not {name for name in extra if not name.endswith(".egg-info") and name not in {"build", "dist", "htmlcov"}}


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_imports_go_down_only(module: Module) -> None:
    if module.floor is None:
        return
    for name, line in module.imports():
        other = floor_of(name)
        if other is not None and other != module.floor:
            assert height(other) < height(module.floor), f"{module.name}:{line} imports {name}"


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_libraries_stay_on_their_floors(module: Module) -> None:
    for name, line in module.imports():
        top = name.split(".")[0]
        if top == NAME or top in sys.stdlib_module_names:
            continue
        assert top in ALLOWED, f"{module.name}:{line} imports {name}, which no floor may"
        assert module.floor in ALLOWED[top], f"{module.name}:{line} imports {name}"
        assert module.floor not in PURE, f"{module.name}:{line} imports {name}"


def test_render_knows_no_domain_floor() -> None:
    for module in MODULES:
        if module.floor == "render":
            reached = {floor_of(name) for name, _ in module.imports()} - {None, "render"}
            assert reached <= {"report", "model"}, f"{module.name} reaches {reached}"


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_no_clock_chance_network_or_printing_below_cli(module: Module) -> None:
    if module.floor == "cli" or module.name == f"{NAME}.__main__":
        return
    for name, line in module.imports():
        assert name not in IMPURE_IMPORTS, f"{module.name}:{line} imports {name}"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "input"}, f"{module.name}:{node.lineno} calls {node.func.id}"
            if node.func.id == "open":
                assert module.floor in TOUCHES_FILES, f"{module.name}:{node.lineno} opens a path"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            touched = f"{node.value.id}.{node.attr}"
            assert touched not in {"os.environ", "os.getenv", "datetime.now", "date.today", "sys.stdout"}, (
                f"{module.name}:{node.lineno} touches {touched}"
            )


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_size_and_names(module: Module) -> None:
    lines = len(module.path.read_text("utf-8").splitlines())
    assert lines <= 300, f"{module.name} has {lines} lines"
    stem = module.path.stem.lower()
    assert not any(word in stem for word in ("util", "helper", "manager", "handler", "common", "misc")), module.name
    assert ast.get_docstring(module.tree), f"{module.name} does not say its question"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = (node.end_lineno or node.lineno) - node.lineno + 1
            assert size <= 45, f"{module.name}:{node.lineno} {node.name} has {size} lines"
        if isinstance(node, ast.ClassDef):
            assert not node.name.endswith(("Manager", "Helper", "Utils", "Handler")), node.name


def public_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_public_names_have_a_contract(module: Module) -> None:
    for node in public_functions(module.tree):
        assert ast.get_docstring(node), f"{module.name}:{node.lineno} {node.name} has no docstring"


def registries() -> list[Registry]:
    found = []
    for module in MODULES:
        if "Registry(" in module.path.read_text("utf-8") and module.name != f"{NAME}.model.registry":
            values = vars(importlib.import_module(module.name)).values()
            found += [value for value in values if isinstance(value, Registry)]
    return list({id(registry): registry for registry in found}.values())


def test_registered_modules_are_there() -> None:
    kinds = {registry.kind for registry in registries()}
    assert {"refusal reason", "rule", "strategy", "invariant", "format"} <= kinds
    for registry in registries():
        for name in registry.names:
            assert registry.module(name).__doc__, f"{registry.kind} {name}"


def test_the_explained_carry_their_own_name() -> None:
    kinds = {"refusal reason", "rule", "strategy", "invariant", "acceptance rule", "gap kind"}
    explained = [one for one in registries() if one.kind in kinds]
    for registry in explained:
        for name in registry.names:
            text = registry.module(name).TEXT
            assert (text.name, text.kind) == (name, registry.kind)
            assert text.what.endswith(".") and text.why.endswith(".")


def test_values_of_the_model_are_immutable() -> None:
    for module in MODULES:
        if module.floor != "model":
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and dataclasses.is_dataclass(value):
                assert value.__dataclass_params__.frozen, value  # type: ignore[attr-defined]
                assert hasattr(value, "__slots__"), value


def test_the_default_policy_imports_no_pydantic() -> None:
    code = (
        "import sys; from windowkeeper_cli.model.settings import Settings; import windowkeeper_cli.policy;"
        "from windowkeeper_cli.replay.session import Session; from windowkeeper_cli.formats import load;"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'pydantic', 'rich', 'typer'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_one_feature_has_one_name_on_every_floor() -> None:
    commands = {module.path.stem for module in MODULES if module.floor == "cli"}
    reports = {module.path.stem for module in MODULES if module.floor == "report"}
    for feature in ("explain", "refusals", "dropped", "diff", "info", "check", "rules"):
        assert feature in commands and feature in reports, feature
    replayed = {module.path.stem for module in MODULES if module.floor == "replay"}
    assert {"refusals", "dropped", "diff"} <= replayed


def test_strategies_and_rules_see_no_guard_and_reach_into_no_gate() -> None:
    visible = {field.name for field in dataclasses.fields(importlib.import_module(f"{NAME}.rules.visit").Visit)}
    assert not visible & {"case", "guards", "fold", "session", "transcript"}
    for module in MODULES:
        if module.floor not in {"rules", "strategies"}:
            continue
        for name, line in module.imports():
            assert name not in {f"{NAME}.guards.case", f"{NAME}.guards.guard"}, f"{module.name}:{line} imports {name}"
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
                inside = node.value.attr in {"gate", "view"} and node.attr.startswith("_")
                assert not inside, f"{module.name}:{node.lineno} reaches into the {node.value.attr}"


@pytest.mark.parametrize("report", ["explain", "info"])
def test_no_figure_travels_without_what_it_counts(report: str, capfd: pytest.CaptureFixture[str]) -> None:
    from windowkeeper_cli.cli.process import run

    assert run([report, str(ROOT / "fixtures/redis-auth/transcript.json"), "-f", "json"]) == 0
    counted = json.loads(capfd.readouterr().out)["tokens"]
    assert counted["counter"] and isinstance(counted["measured"], bool)
