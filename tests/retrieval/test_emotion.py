"""Emotional weights: VADER where the text is English, nothing where it is not, and what is not read at all."""

import subprocess
import sys

import pytest

from inspector.retrieval import emotion
from inspector.retrieval.emotion import LONG_CODE_POINTS, emotional_weight, is_english


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("I love this, thank you so much! 😍", 0.8921),  # two strong words, an exclamation mark and an emoji
        ("my dog died yesterday and I can't stop crying", 0.0408),  # its weakness: grief in plain words
        ("The ferry leaves at noon from the old pier.", 0.0),  # English, and no word of feeling in it
        ("I hate this, it is the worst day of my life.", 0.8316),  # a bad feeling weighs as much as a good one
    ],
)
def test_the_weight_is_the_absolute_compound(text: str, weight: float) -> None:
    assert emotional_weight(text) == pytest.approx(weight, abs=1e-4)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "我很难过，我的狗昨天死了",
        "Мне очень грустно",
        "Ich bin so traurig, mein Hund ist gestorben",
        "Die Sonne scheint und das Meer ist warm",  # "die" alone would count as a strong word
        "Je suis très content de vous voir",
        "Estoy muy feliz con mi familia",
        "```\nraise Terrible(hate)\n```",  # code speaks of no feelings
        "https://example.org/love/hate",
        "12:30",
    ],
)
def test_what_is_not_english_has_no_weight(text: str) -> None:
    assert emotional_weight(text) is None


@pytest.mark.parametrize("text", ["😭😭", ":)", "Great!", "awful", "LOVE IT"])
def test_emoji_and_short_exclamations_are_read(text: str) -> None:
    weight = emotional_weight(text)
    assert weight is not None
    assert weight > 0.3


def test_a_typographic_apostrophe_is_read_like_a_plain_one() -> None:
    assert is_english("Don’t worry")
    assert not is_english("L’amour est la vie")


def test_a_long_text_has_the_mean_of_its_sentences() -> None:
    calm, strong = "The ferry leaves at noon from the old pier of the town. ", "I love you so much, it is wonderful! "
    text = strong + calm * 12
    assert len(text) > LONG_CODE_POINTS
    whole = emotional_weight(strong.strip())
    assert whole is not None
    assert emotional_weight(text) == pytest.approx(whole / 13, abs=1e-6)


def test_the_network_library_that_the_package_asks_for_is_not_imported() -> None:
    code = (
        "import sys; from inspector.retrieval.emotion import emotional_weight; emotional_weight('I love it');"
        "sys.exit('requests' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("text", ["😀" * 20_000, "so good " * 2_500, "I love 😀" + "😀" * 19_000])
def test_a_text_without_sentences_is_read_by_parts_of_a_length_that_takes_no_time(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """VADER takes the square of the number of words."""
    lengths: list[int] = []

    class Analyzer:
        emojis, lexicon = {"😀": "grinning face"}, {"good": 1.0}

        def polarity_scores(self, part: str) -> dict[str, float]:
            lengths.append(len(part.replace("😀", " grinning face").split()))
            return {"compound": 0.5}

    monkeypatch.setattr(emotion, "_analyzer", Analyzer)
    assert emotional_weight(text) == 0.5
    assert max(lengths) <= LONG_CODE_POINTS / 2
