"""YAML in which no key stands twice.

YAML forbids it, but PyYAML lets the last one win: of two lines ``fan_cap``, one would be ignored
without a word.
"""

from typing import Any

import yaml


class RepeatedKeyError(yaml.YAMLError):
    """A key that stands twice in one mapping."""


class _Loader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            # Keys that are no scalars are refused by what follows.
            if isinstance(key, yaml.ScalarNode):
                line, name = key.start_mark.line + 1, (key.tag, key.value)
                if name in lines:
                    raise RepeatedKeyError(
                        f"line {line}: {key.value!r} is given twice, first in line {lines[name]}"
                    )
                lines[name] = line
        return super().construct_mapping(node, deep)


def load_yaml(text: str) -> Any:
    """What a YAML text says, plain data only.

    Raises:
        RepeatedKeyError: A key stands twice in one mapping; the message has both lines.
        yaml.YAMLError: It is not YAML, or holds what no Python value can be.
    """
    try:
        return yaml.load(text, _Loader)
    except RecursionError:
        raise yaml.YAMLError("nested too deeply") from None
    except ValueError as error:  # a date or a number that is none
        raise yaml.YAMLError(str(error)) from None
