import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

from tests.train.evaluation.matches import NAMES, outcome, played
from tests.train.evaluation.test_field import round_robin
from train.evaluation.field import field_of
from train.evaluation.metrics import MEANINGS
from train.evaluation.page import page
from train.evaluation.verdict import verdict
from train.evaluation.wording import FIGURE_WORDS, REASON_WORDS

VOID = {"meta", "circle", "line", "rect"}


class Reader(HTMLParser):
    """Checks that everything opened is closed, and keeps what there is."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def pair(*outcomes):
    deals, _, result = played()
    return field_of(NAMES, outcomes, result.players, deals["units"].reshape(-1, 4), None)


def test_a_page_needs_nothing_else():
    text = page([pair(outcome())])
    reader = read(text)
    assert not {"script", "img", "link", "iframe", "object"} & set(reader.tags)
    assert "http" not in text
    assert "url(" not in text
    assert "@import" not in text
    for _, attributes in reader.attributes:
        assert not {"src", "href", "onclick"} & attributes.keys()


def test_every_picture_is_described_and_stands_in_a_table():
    reader = read(page([round_robin()]))
    pictures = [attributes for tag, attributes in reader.attributes if tag == "svg"]
    assert len(pictures) > 10
    assert all(picture["role"] == "img" and picture["aria-label"] for picture in pictures)
    assert all("scope" in of for tag, of in reader.attributes if tag == "th")
    assert reader.tags.count("caption") == reader.tags.count("table") > 3


def test_the_same_results_are_the_same_page():
    assert page([pair(outcome())]) == page([pair(outcome())])


def test_light_and_dark():
    text = page([pair(outcome())])
    assert "prefers-color-scheme: dark" in text
    used = set(re.findall(r"var\((--\w+)\)", text))
    light, dark = (set(re.findall(r"(--\w+):", block)) for block in
                   re.findall(r":root \{(.+?)\}", text))  # fmt: skip
    assert used == light == dark


def test_a_pair_is_told_in_words_and_numbers():
    real = outcome()
    text = page([pair(real)])
    assert f"{verdict(real)}." in text
    for words in ("wins", "dealing in", "ready check"):
        assert words in REASON_WORDS.values()
        assert f'<th scope="row">{words}</th>' in text
    assert "Wins by fan" in text
    assert "How to read this" in text
    assert "Ratings" not in text


def test_many_are_ranked():
    text = page([round_robin()])
    assert "a &gt; b = c" in text
    for caption in ("Ratings", "Pairs compared", "Units a deal of the row against the column"):
        assert caption in text
    assert text.count("(+)") >= 2


def test_agents_that_met_one_alone_make_no_square():
    field = round_robin()
    outcomes = tuple(outcome for outcome in field.outcomes if outcome.reference == "c")
    assert "of the row against the column" not in page([replace(field, outcomes=outcomes)])


def test_every_figure_is_explained():
    text = page([pair(outcome())])
    explained = text[text.index("What the figures are") :]
    for name, words in FIGURE_WORDS.items():
        assert words.strip() in explained
        assert escape(MEANINGS[name]) in explained


def test_names_are_text_and_not_markup():
    wicked = replace(outcome(), challenger="<b>&/1")
    field = pair(wicked)
    text = page([replace(field, agents=("<b>&/1", "random_legal/1"))])
    read(text)
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;/1" in text
