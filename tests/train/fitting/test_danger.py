"""Prices on danger: the higher, the fewer deal-ins, and a price of 0 costs no useful tile."""

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from train.fitting import danger

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


def test_every_price_is_tabled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(danger, "PRICES", (0, 100))
    assert danger.main(["--sets", "200", "--processes", "1"]) == 0
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [int(row[0]) for row in rows] == list(danger.PRICES)
    edges = np.array([float(row[1].split(" ± ")[0]) for row in rows])
    deal_ins = [float(row[3].rstrip("%")) for row in rows]
    assert deal_ins[-1] < deal_ins[0]
    assert edges.min() > -0.5
