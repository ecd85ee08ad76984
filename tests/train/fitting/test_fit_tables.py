"""Tables fitted by simulation: the same deals give the same text, and rates are counts."""

from pathlib import Path

import numpy as np
import pytest

from agents import fitted
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.state import NUM_DRAWS
from train import fit_tables
from train.fitting import rates
from train.fitting.logistic import calibration_error, fit_logistic, probability
from train.fitting.watch import Watched, watch

DEALS = 4 if JIT_DISABLED else 150


@pytest.fixture(scope="module")
def watched() -> Watched:
    return watch("greedy/1", "qq", DEALS)


def test_the_module_is_what_the_command_writes_for_its_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_tables, "DEALS", DEALS)
    texts = []
    for name in ("one.py", "two.py"):
        assert fit_tables.main(["--out", str(tmp_path / name)]) == 0
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    written: dict[str, np.ndarray] = {}
    exec(compile(texts[0], "one.py", "exec"), written)
    names = {name for name in dir(fitted) if name.isupper()}
    assert {name for name in written if name.isupper()} == names
    for name in names:
        assert written[name].shape == getattr(fitted, name).shape
        assert np.isfinite(written[name]).all()


def test_every_discard_is_written_down_once(watched: Watched) -> None:
    made = watched.finished["num_discards"].astype(int)
    assert (np.bincount(watched.discards["deal"], minlength=DEALS) == made).all()
    for deal in range(0, DEALS, 3):
        rows = watched.discards[watched.discards["deal"] == deal]
        kinds = watched.finished["discard_kind"][deal][: made[deal]]
        assert (rows["kind"] == kinds).all()


def test_live_share_ends_at_the_share_that_never_won(watched: Watched) -> None:
    share = rates.live_share(watched)
    assert share[NUM_DRAWS] == 1
    assert (np.diff(share) >= 0).all()
    # Deals that end with the third win stop counting, so that it is no more than this.
    assert share[0] <= (watched.finished["win_order"] == 0).mean()


def test_discard_rates_foretell_how_many_discards_were_made(watched: Watched) -> None:
    rate, by_rank = rates.discard_rate(watched)
    assert rate.shape[:2] == (2, rates.WALL_ROWS)
    assert by_rank.shape == (2, 5)
    assert (rate > 0).all()
    # A kind of the own void suit goes first.
    assert (rate[1, -2] > rate[0, -2]).all()


def test_logistic_regression_finds_the_weights_that_made_the_data() -> None:
    rng = np.random.default_rng(1)
    features = np.stack([np.ones(40_000), rng.normal(size=40_000)], axis=1)
    wanted = np.array([-0.5, 1.5])
    happened = rng.random(40_000) < probability(features, wanted)
    weights = fit_logistic(features, happened)
    assert np.abs(weights - wanted).max() < 0.06
    assert calibration_error(probability(features, weights), happened) < 0.01
    assert calibration_error(np.full(40_000, 0.99), happened) > 0.3
