import numpy as np
import pytest

from agents.greedy import Greedy
from agents.random_legal import RandomLegal
from mjenv.agent import Agent, CompiledBot
from mjenv.core.game import Views
from mjenv.errors import AgentError
from mjenv.sichuan.actions import DISCARD_0
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from tests.agents.solo import questions


def batch(agent: Agent, deals: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Views, masks and generators of many questions, and the answers one at a time."""
    asked = []
    for deal in range(deals):
        for question in questions(agent, Rules.preset("qq"), deal):
            asked.append(
                (question.views[0].copy(), question.mask.copy(), question.rng, question.action)
            )
    views, masks, rng, answers = zip(*asked, strict=True)
    return np.array(views), np.array(masks), np.array(rng, np.uint64), np.array(answers)


@pytest.mark.parametrize("agent", [Greedy(), RandomLegal()], ids=lambda agent: agent.name)
def test_a_batch_is_answered_as_one_at_a_time(agent: CompiledBot) -> None:
    views, masks, rng, answers = batch(agent, 2)
    rules = Rules.preset("qq").pack()
    actions = agent.act(Views(views, rules), masks, rng.copy())
    assert actions.dtype == np.int64
    np.testing.assert_array_equal(actions, answers)
    every_row = np.repeat(rules, len(views))
    np.testing.assert_array_equal(agent.act(Views(views, every_row), masks, rng.copy()), answers)
    # Slices of larger arrays, as a caller with several agents has them.
    np.testing.assert_array_equal(
        agent.act(Views(views[::2], rules), masks[::2], rng[::2].copy()), answers[::2]
    )


def test_random_legal_is_uniform_over_the_mask() -> None:
    masks = np.zeros((6000, SICHUAN.num_actions), np.int8)
    legal = [DISCARD_0, DISCARD_0 + 4, SICHUAN.parse_action("win")]
    masks[:, legal] = 1
    rng = np.arange(1, 6001, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    views = Views(np.zeros(6000, SICHUAN.view_dtype), Rules.preset("qq").pack())
    actions = RandomLegal().act(views, masks, rng)
    counts = [int((actions == action).sum()) for action in legal]
    assert sum(counts) == 6000
    assert min(counts) > 1850  # 2000 each, standard deviation 37


def test_compiled_bots_are_agents() -> None:
    agent = Greedy()
    assert isinstance(agent, Agent)
    assert (agent.name, agent.games, agent.observation) == ("greedy/1", ("sichuan",), "view")
    assert repr(agent) == "<agent greedy/1>"


def test_what_is_no_view_is_refused() -> None:
    masks, rng = np.ones((1, SICHUAN.num_actions), np.int8), np.ones(1, np.uint64)
    with pytest.raises(AgentError, match="given ndarray; it takes Views"):
        Greedy().act(np.zeros((1, 5)), masks, rng)  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="views of another game"):
        Greedy().act(Views(np.zeros(1, [("seat", "i1")]), Rules().pack()), masks, rng)


def test_what_does_not_belong_together_is_refused() -> None:
    rules, views = Rules(), np.zeros(2, SICHUAN.view_dtype)
    masks, rng = np.ones((2, SICHUAN.num_actions), np.int8), np.ones(2, np.uint64)
    for unpacked in (rules, "qq", rules.pack()[:0], rules.pack()[0]):
        with pytest.raises(AgentError, match=r"it takes them packed, \(1,\) or one for each view"):
            Greedy().act(Views(views, unpacked), masks, rng)  # type: ignore[arg-type]  # wrong on purpose
    seen = Views(views, rules.pack())
    with pytest.raises(AgentError, match=r"2 views with masks \(1, 62\) and generators \(2,\)"):
        Greedy().act(seen, masks[:1], rng)
    with pytest.raises(AgentError, match=r"masks \(2, 61\)"):
        Greedy().act(seen, masks[:, 1:], rng)
    with pytest.raises(AgentError, match=r"generators \(1,\); it takes \(2, 62\) and \(2,\)"):
        Greedy().act(seen, masks, rng[:1])
