"""Names under which other libraries find the environments."""

import gymnasium
import pettingzoo

GYMNASIUM_ID = "mjenv/Sichuan-v0"
PETTINGZOO_ID = "mjenv/sichuan-v0"


def register_gymnasium() -> None:
    """Let ``gymnasium.make`` and ``make_vec`` find the environments of a single seat."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="mjenv.envs.single:SingleSeat",
            vector_entry_point="mjenv.envs.vector:SingleSeats",
        )


def register_pettingzoo() -> None:
    """Let ``pettingzoo.make("aec", "mjenv/sichuan-v0")`` find the environment.

    PettingZoo has a registry from 1.27 on; before that there is only the module.
    """
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="mjenv.sichuan_v0:env")
