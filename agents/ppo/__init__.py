"""The PPO agent: a network on one encoding of a view, and its checkpoints."""
