import json
import math

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.play import play_deals
from mjenv.registry import make_agent
from train.metrics import METRICS_FILE, TENSORBOARD, MetricsLog, deal_metrics, read_metrics


def test_lines_and_tensorboard_say_the_same(tmp_path):
    log = MetricsLog(tmp_path)
    log.write(1, {"losses/kl": 0.25, "deals/average_fan": math.nan})
    log.write(2, {"losses/kl": 0.5, "deals/average_fan": 1.5})
    log.close()
    assert read_metrics(tmp_path) == [
        {"update": 1, "losses/kl": 0.25},
        {"update": 2, "losses/kl": 0.5, "deals/average_fan": 1.5},
    ]
    events = EventAccumulator(str(tmp_path / TENSORBOARD))
    events.Reload()
    assert [(item.step, item.value) for item in events.Scalars("losses/kl")] == [
        (1, 0.25),
        (2, 0.5),
    ]


def test_a_resumed_log_drops_what_came_after_the_checkpoint(tmp_path):
    log = MetricsLog(tmp_path)
    for update in (1, 2, 3):
        log.write(update, {"losses/kl": update / 10})
    log.close()
    with (tmp_path / METRICS_FILE).open("a") as file:
        file.write('{"update": 4, "loss')  # a crash in the middle of a line
    log = MetricsLog(tmp_path, update=2)
    log.write(3, {"losses/kl": 0.9})
    log.close()
    assert [line["losses/kl"] for line in read_metrics(tmp_path)] == [0.1, 0.2, 0.9]
    for line in (tmp_path / METRICS_FILE).read_text().splitlines():
        json.loads(line)


def test_a_full_disk_costs_lines_and_not_the_run(tmp_path, caplog):
    log = MetricsLog(tmp_path)
    (tmp_path / METRICS_FILE).mkdir()  # cannot be opened for writing
    log.write(1, {"losses/kl": 0.25})
    log.close()
    assert "metrics of update 1 are lost" in caplog.text


def test_deals_are_counted_for_the_seats_of_the_learner():
    agents = [make_agent("random_legal/1")] * 4
    finished = play_deals(agents, "qq", 200, seed=4).finished
    everybody = deal_metrics(finished, np.ones((200, 4), bool))
    assert everybody["deals/seats"] == 800
    assert everybody["deals/units_per_deal"] == 0
    won = finished["win_order"] > 0
    assert everybody["deals/win_rate"] == pytest.approx(won.mean())
    assert everybody["deals/average_fan"] == pytest.approx(finished["win_fan"][won].mean())
    one = np.zeros((200, 4), bool)
    one[:, 2] = True
    only = deal_metrics(finished, one)
    assert only["deals/units_per_deal"] == pytest.approx(finished["points"][:, 2].mean())
    assert only["deals/void_m"] == pytest.approx((finished["void_suit"][:, 2] == 0).mean())


def test_no_deals_give_no_numbers():
    finished = play_deals([make_agent("random_legal/1")] * 4, "qq", 1, seed=4).finished[:0]
    metrics = deal_metrics(finished, np.ones((0, 4), bool))
    assert metrics["deals/seats"] == 0
    assert math.isnan(metrics["deals/win_rate"])
