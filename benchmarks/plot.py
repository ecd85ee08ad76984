"""A plot of lines over two logarithmic axes, as SVG: a few lines of text, no library."""

from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 860, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 230, 56, 52
COLOURS = ("#1b6ca8", "#c8553d", "#3b7d3c", "#7a4fa3", "#b58900", "#555555")
GREY = "#d9d9d9"
TEXT = 'font-family="sans-serif" font-size="13" fill="#222222"'


@dataclass(frozen=True)
class Line:
    """One line.

    Attributes:
        name: For the legend; lines of one name share it and their colour.
        colour: Index of it.
        dashed: Whether it is dashed.
        points: ``(x, y)``, all above 0.
    """

    name: str
    colour: int
    dashed: bool
    points: tuple[tuple[float, float], ...]


def draw(lines: list[Line], title: str, subtitle: str) -> str:
    """The plot as the text of an SVG file.

    Args:
        lines: What is drawn; dashed ones are explained as two threads.
        title: In the first line.
        subtitle: Below it, smaller.
    """
    across = [x for line in lines for x, _ in line.points]
    up = [y for line in lines for _, y in line.points]
    left, right = log10(min(across)), log10(max(across))
    low, high = floor(log10(min(up))), ceil(log10(max(up)))

    def place(x: float, y: float) -> tuple[float, float]:
        across = (log10(x) - left) / ((right - left) or 1)
        up = (log10(y) - low) / ((high - low) or 1)
        return (
            round(LEFT + across * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" {TEXT} font-weight="bold">{escape(title)}</text>',
        f'<text x="{LEFT}" y="42" {TEXT} opacity="0.7">{escape(subtitle)}</text>',
    ]
    for power in range(low, high + 1):
        (x0, y), (x1, _) = place(min(across), 10.0**power), place(max(across), 10.0**power)
        parts.append(f'<line x1="{x0}" y1="{y}" x2="{x1}" y2="{y}" stroke="{GREY}"/>')
        parts.append(
            f'<text x="{x0 - 8}" y="{y + 4}" {TEXT} text-anchor="end">{_short(10**power)}</text>'
        )
    for size in sorted(set(across)):
        x, y = place(size, 10.0**low)
        parts.append(f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{y}" stroke="{GREY}"/>')
        parts.append(f'<text x="{x}" y="{y + 18}" {TEXT} text-anchor="middle">{size:,.0f}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" {TEXT} text-anchor="middle">tables</text>')
    for line in lines:
        path = " ".join(f"{x},{y}" for x, y in (place(*point) for point in line.points))
        parts.append(f'<polyline points="{path}" fill="none" {_stroke(line.colour, line.dashed)}/>')
    return "\n".join([*parts, *_legend(lines), "</svg>", ""])


def _legend(lines: list[Line]) -> list[str]:
    names = {line.name: line.colour for line in lines}
    rows = [(name, colour, False) for name, colour in names.items()]
    rows += [("one thread", -1, False)] if any(line.dashed for line in lines) else []
    rows += [("two threads", -1, True)] if any(line.dashed for line in lines) else []
    parts = []
    for row, (name, colour, dashed) in enumerate(rows):
        x, y = WIDTH - RIGHT + 20, TOP + 12 + 22 * row
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 28}" y2="{y}" {_stroke(colour, dashed)}/>')
        parts.append(f'<text x="{x + 36}" y="{y + 4}" {TEXT}>{escape(name)}</text>')
    return parts


def _stroke(colour: int, dashed: bool) -> str:
    dashes = ' stroke-dasharray="6 4"' if dashed else ""
    return f'stroke="{COLOURS[colour % len(COLOURS)]}" stroke-width="2"{dashes}'


def _short(number: float) -> str:
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:g} {letter}"
    return f"{number:g}"
