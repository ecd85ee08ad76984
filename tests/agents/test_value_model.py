import sys
from pathlib import Path

import numpy as np
import pytest

from agents.chance import LuckMeter
from agents.play import play_seated
from agents.value_model import FITTED, ModelLuck, make_value
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import JIT_DISABLED
from mjenv.errors import CheckpointError, OptionError
from mjenv.sichuan.rules import PRESETS
from tests.agents.value_models import HERE, Failing, Silent, Tiles, Unsure, compiled

DEALS = 2 if JIT_DISABLED else 60


def luck_of(value: LuckMeter, rules: str, deals: int = DEALS) -> np.ndarray:
    seating = np.zeros((deals, NUM_SEATS), np.int8)
    return play_seated(["greedy/1"], rules, 3, np.arange(deals), seating, value=value).luck


@pytest.mark.parametrize("rules", PRESETS)
def test_a_model_measures_what_a_kernel_does(rules: str) -> None:
    found = luck_of(ModelLuck(Tiles()), rules)
    assert np.abs(found).max() > 0.5
    assert found == pytest.approx(luck_of(compiled(), rules), abs=1e-9)


def test_values_are_made_by_name() -> None:
    assert make_value(FITTED).name == "fitted"
    assert make_value(f"{HERE}:Tiles").name == "tiles"
    assert make_value(f"{HERE}:compiled").name == "pairs"
    assert make_value(f"{HERE}:Tiles") is make_value(f"{HERE}:Tiles")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fit", "'fit': allowed: fitted, module:PACKAGE.MODULE:NAME, ppo:PATH"),
        ("module:tests", "allowed: fitted"),
        ("module:no_such:Thing", "ModuleNotFoundError"),
        (f"{HERE}:broken", "ZeroDivisionError: no model today"),
        (f"{HERE}:Blind", "observation 'crystal_ball/1'; allowed: planes/1"),
        ("module:collections:Counter", "a Counter without name, observation; a value model has"),
        ("ppo:", "allowed: fitted"),
    ],
)
def test_what_is_no_value_is_told(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make_value(name)


def test_a_model_in_the_current_folder_needs_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    monkeypatch.chdir(tmp_path)
    model = "from tests.agents.value_models import Tiles\n"
    (tmp_path / "model_of_this_folder.py").write_text(model, encoding="utf-8")
    try:
        assert make_value("module:model_of_this_folder:Tiles").name == "tiles"
    finally:
        sys.modules.pop("model_of_this_folder", None)


def test_a_critic_that_is_not_there_is_told() -> None:
    pytest.importorskip("torch")
    with pytest.raises(CheckpointError, match="no checkpoint at 'nowhere'"):
        make_value("ppo:nowhere")


@pytest.mark.parametrize("model", [Silent(), Unsure()], ids=lambda model: type(model).__name__)
def test_a_model_that_answers_badly_is_told(model: Tiles) -> None:
    with pytest.raises(OptionError, match=r"value 'tiles' answered .* it must answer numbers \("):
        luck_of(ModelLuck(model), "qq", 1)


def test_a_model_that_fails_is_told() -> None:
    with pytest.raises(OptionError, match="value 'tiles': ZeroDivisionError: no value today"):
        luck_of(ModelLuck(Failing()), "qq", 1)
