import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mjenv
from agents.greedy import Greedy
from agents.random_legal import RandomLegal
from mjenv import registry
from mjenv.errors import AgentError, MissingExtraError
from mjenv.registry import AGENTS, RESOLVERS, Resolver, list_agents, make_agent, registered

ROOT = Path(__file__).parents[1]
HERE = __name__
OWN = sorted(registry._OWN[AGENTS])


class Careful:
    """A plug-in that keeps to the protocol."""

    name = "careful/1"
    games: Any = ("sichuan", "cixi")
    observation = "view"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


class Elsewhere(Careful):
    games = ("cixi",)


class Untidy(Careful):
    games = "sichuan"


class Nowhere(Careful):
    games = None


class Numbered(Careful):
    name: Any = 5


class Mute:
    name = "mute/1"


CAREFUL_WITH = Resolver("LEVEL", lambda level: Careful() if level == "1" else Mute())


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no licence")


class Demanding:
    def __init__(self) -> None:
        raise MissingExtraError("agent 'demanding/1'", "train")


@pytest.fixture
def plug_ins(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Entry points of other distributions, by name; a test adds to it."""
    values: dict[str, str] = {}

    def installed(group: str) -> list[metadata.EntryPoint]:
        # A name that ends with a colon stands for a resolver.
        groups = {name: RESOLVERS if name.endswith(":") else AGENTS for name in values}
        return [
            metadata.EntryPoint(name.rstrip(":"), value, group)
            for name, value in values.items()
            if groups[name] == group
        ]

    monkeypatch.setattr(registry, "entry_points", installed)
    monkeypatch.setitem(sys.modules, "plug_in_module", sys.modules[HERE])
    return values


def test_own_agents_are_there_without_being_installed(plug_ins: dict[str, str]) -> None:
    assert list_agents() == OWN
    assert isinstance(make_agent("greedy/1"), Greedy)
    assert isinstance(make_agent("random_legal/1", "sichuan"), RandomLegal)
    assert isinstance(make_agent("sichuan/greedy/1"), Greedy)


def test_what_is_its_own_are_the_entry_points_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"] == registry._OWN
    for name in list_agents():
        assert make_agent(name).name == name


def test_a_plug_in_is_found_by_name(plug_ins: dict[str, str]) -> None:
    plug_ins["careful/1"] = "plug_in_module:Careful"
    assert list_agents() == sorted([*OWN, "careful/1"])
    assert make_agent("careful/1").name == "careful/1"
    # The own entry point seen twice, installed and built in, is no conflict.
    plug_ins["greedy/1"] = "agents.greedy:Greedy"
    assert isinstance(make_agent("greedy/1"), Greedy)


def test_a_plug_in_may_name_the_game_as_well(plug_ins: dict[str, str]) -> None:
    plug_ins["sichuan/careful/1"] = "plug_in_module:Careful"
    assert list_agents() == sorted([*OWN, "careful/1"])
    assert make_agent("sichuan/careful/1").name == make_agent("careful/1").name == "careful/1"
    plug_ins["sichuan/greedy/1"] = "plug_in_module:Careful"
    with pytest.raises(AgentError, match="two distributions name an agent 'sichuan/greedy/1'"):
        make_agent("greedy/1")


def test_an_unknown_name_lists_the_known_ones(plug_ins: dict[str, str]) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent("gready/1")
    assert str(caught.value) == (
        f"unknown agent 'gready/1' (did you mean 'greedy/1'?); known: {', '.join(OWN)}, "
        "and module:PACKAGE.MODULE:NAME, ppo:PATH, process:COMMAND"
    )
    with pytest.raises(AgentError, match=f"unknown agent ''; known: {OWN[0]}"):
        make_agent("")


def test_an_agent_for_another_game_is_refused(plug_ins: dict[str, str]) -> None:
    plug_ins["elsewhere/1"] = "plug_in_module:Elsewhere"
    with pytest.raises(AgentError, match=r"^agent 'elsewhere/1' plays cixi, not sichuan$"):
        make_agent("elsewhere/1")
    with pytest.raises(AgentError, match=r"^agent 'greedy/1' plays sichuan, not cixi$"):
        make_agent("greedy/1", "cixi")
    plug_ins["cixi/greedy/1"] = "plug_in_module:Elsewhere"
    with pytest.raises(AgentError, match=r"not cixi; did you mean 'cixi/greedy/1'\?$"):
        make_agent("greedy/1", "cixi")
    assert make_agent("cixi/greedy/1", "cixi").games == ("cixi",)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no_such_module:Name", "from no_such_module:Name: ModuleNotFoundError: No module named"),
        ("plug_in_module:Nobody", "from plug_in_module:Nobody: AttributeError:"),
        ("plug_in_module:Broken", "from plug_in_module:Broken: RuntimeError: no licence"),
        (
            "plug_in_module:HERE",
            "from plug_in_module:HERE: TypeError: 'str' object is not callable",
        ),
        ("plug_in_module:Mute", "made a Mute without games, observation, act; an agent has name"),
        ("plug_in_module:Untidy", "games is 'sichuan'; it must be a tuple of names"),
        ("plug_in_module:Nowhere", "games is None; it must be a tuple of names"),
        ("plug_in_module:Numbered", "name is 5; it must be a text"),
    ],
)
def test_a_broken_plug_in_is_explained(plug_ins: dict[str, str], value: str, words: str) -> None:
    plug_ins["odd/1"] = value
    with pytest.raises(AgentError) as caught:
        make_agent("odd/1")
    assert "agent 'odd/1'" in str(caught.value)
    assert words in str(caught.value)


def test_what_a_plug_in_lacks_is_told_unchanged(plug_ins: dict[str, str]) -> None:
    plug_ins["demanding/1"] = "plug_in_module:Demanding"
    with pytest.raises(MissingExtraError, match=r"mjenv\[train\]"):
        make_agent("demanding/1")


def test_two_agents_of_one_name_are_refused(plug_ins: dict[str, str]) -> None:
    plug_ins["greedy/1"] = "plug_in_module:Careful"
    with pytest.raises(AgentError) as caught:
        make_agent("greedy/1")
    assert str(caught.value) == (
        "two distributions name an agent 'greedy/1': agents.greedy:Greedy and "
        "plug_in_module:Careful; uninstall one, or use module:plug_in_module:Careful"
    )
    assert make_agent("folder/1").name == "folder/1"
    assert [item.name for item in registered() if item.fault] == ["greedy/1"]


def test_an_agent_is_registered_with_its_version(plug_ins: dict[str, str]) -> None:
    plug_ins["careful"] = "plug_in_module:Careful"
    with pytest.raises(AgentError) as caught:
        make_agent("careful")
    assert str(caught.value) == (
        "agent 'careful' of plug_in_module:Careful: register it as [game/]name/version, "
        "such as careful/1"
    )
    assert [item.name for item in registered() if item.fault] == ["careful"]


def test_a_module_needs_no_entry_point(plug_ins: dict[str, str]) -> None:
    assert make_agent("module:plug_in_module:Careful").name == "careful/1"
    with pytest.raises(AgentError, match="write module:PACKAGE"):
        make_agent("module:plug_in_module")
    with pytest.raises(AgentError, match="No module named 'no_such_module'"):
        make_agent("module:no_such_module:Name")


def test_a_module_in_the_current_folder_needs_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And none of what is installed is hidden by a file there."""
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    monkeypatch.chdir(tmp_path)
    for name in ("bots_of_this_folder", "train"):
        bots = f"from {HERE} import Careful\n"
        (tmp_path / f"{name}.py").write_text(bots, encoding="utf-8")
    try:
        assert make_agent("module:bots_of_this_folder:Careful").name == "careful/1"
    finally:
        sys.modules.pop("bots_of_this_folder", None)
    with pytest.raises(AgentError, match="AttributeError: module 'train' has no attribute"):
        make_agent("module:train:Careful")


def test_an_unknown_resolver_lists_the_known_ones() -> None:
    with pytest.raises(AgentError, match=r"nothing resolves 'onnx'; known: module:PACK.*ppo:"):
        make_agent("onnx:model")


def test_a_resolver_of_another_distribution(plug_ins: dict[str, str]) -> None:
    plug_ins["careful:"] = "plug_in_module:CAREFUL_WITH"
    assert make_agent("careful:1").name == "careful/1"
    with pytest.raises(AgentError, match=r"'careful:2': plug_in_module:CAREFUL_WITH made a Mute"):
        make_agent("careful:2")
    plug_ins["silent:"] = "no_such_module:NAME"
    with pytest.raises(
        AgentError,
        match=r"known: module:P.*, ppo:PATH, process:COMMAND, careful:LEVEL, silent:\.\.\.$",
    ):
        make_agent("onnx:model")
    with pytest.raises(AgentError, match=r"'silent:1' cannot be made from no_such_module:NAME"):
        make_agent("silent:1")
    plug_ins["odd:"] = "plug_in_module:Careful"
    with pytest.raises(AgentError, match=r"Careful is a type; the group mjenv\.resolvers names"):
        make_agent("odd:1")
    plug_ins["ppo:"] = "plug_in_module:CAREFUL_WITH"
    with pytest.raises(AgentError, match=r"two distributions name a resolver 'ppo': .* uninstall"):
        make_agent("ppo:1")


def test_what_is_no_name_is_refused() -> None:
    with pytest.raises(AgentError, match="named by a text, not by 7"):
        make_agent(7)  # type: ignore[arg-type]


def test_a_checkpoint_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AgentError, match="write ppo:PATH"):
        make_agent("ppo:")
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("agents.ppo")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtraError, match=r'agent \'ppo:x\' needs .*"mjenv\[train\]"'):
        make_agent("ppo:x")


def test_what_is_registered_is_told_with_where_it_is_from(plug_ins: dict[str, str]) -> None:
    plug_ins |= {
        "careful/1": "plug_in_module:Careful",
        "odd/1": "plug_in_module:Broken",
        "careful:": "plug_in_module:CAREFUL_WITH",
        "silent:": "plug_in_module:Nobody",
    }
    found = {item.name: item for item in registered()}
    assert [name for name in found if ":" not in name] == list_agents()
    assert found["careful/1"].games == ("sichuan", "cixi")
    assert found["careful/1"].summary == "A plug-in that keeps to the protocol"
    assert found["greedy/1"].summary.startswith("the fewest tiles from a win")
    assert found["greedy/1"].distribution == f"mjenv {mjenv.__version__}"
    assert found["odd/1"].fault.endswith("from plug_in_module:Broken: RuntimeError: no licence")
    assert found["process:COMMAND"].summary == "another program, in whatever language"
    assert found["careful:LEVEL"].fault == ""
    assert "plug_in_module:Nobody cannot be loaded" in found["silent:..."].fault
    assert [item.name for item in found.values() if item.fault] == ["odd/1", "silent:..."]


def test_every_own_agent_says_what_it_is() -> None:
    for item in registered():
        assert item.summary
        assert not item.fault
        assert item.games == ("sichuan",) or ":" in item.name
