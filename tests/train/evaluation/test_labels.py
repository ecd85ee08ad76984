import numpy as np
import pytest

from tests.train.evaluation.matches import around, invented
from train.evaluation.field import field_of
from train.evaluation.labels import label, labelled, labels
from train.evaluation.plain import plain

LONG = "process:/usr/bin/python3 bots/careful.py --level"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("greedy/1", "greedy/1"),
        ("process:mine/2=node bot.js --level 3", "process:mine/2"),
        ("process:mine=--seconds 3 -- ./a=b", "process:mine"),
        ("process:./a=b --level 3", "process:./a=b --level 3"),
        ("process:--seconds=3 node bot.js", "process:--seconds=3 node bot.js"),
        ("ppo:x=y", "ppo:x=y"),
        (f"{LONG} 3", "process:...hon3 bots/careful.py --level 3"),
        ("m" * 41, "..." + "m" * 30),
    ],
)
def test_a_label_fits_into_a_table(name, short):
    assert label(name) == short


def test_two_agents_have_two_labels():
    alike = ["process:a=x", "process:a=y", "process:b=z"]
    assert labels(alike) == {alike[0]: alike[0], alike[1]: alike[1], alike[2]: "process:b"}


def test_a_field_with_labels_says_the_same():
    names = [f"{LONG} 1", f"{LONG} 2", "process:mine=node bot.js"]
    one, other = (invented(names[i], names[2], around(0.3)) for i in (0, 1))
    field = field_of(
        names, [one, other], np.array([[0, 1, 2, 2]]), np.array([[1, 0, -1, 0]]), names[2]
    )
    short = labelled(field)
    assert short.agents == tuple(map(label, names))
    assert list(short.holm.values()) == list(field.holm.values())
    assert [(o.challenger, o.reference) for o in short.outcomes] == [
        (label(names[0]), "process:mine"),
        (label(names[1]), "process:mine"),
    ]
    assert set(short.ranking().replace(">", "=").split(" = ")) == set(short.agents)
    assert {pair.through for pair in short.differences} <= {"process:mine", "their match"}
    assert plain(field.outcomes[0], 1.0)["reference"] == names[2]
