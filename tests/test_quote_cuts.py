"""A cut that turns round what is said is turned back, and one that does not is let through.

`cuts/*_other.txt` hold sentences in which the words between [[ and ]] say something else than the sentence,
`cuts/*_same.txt` those in which they say the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sekisho.gates import Sources, Verdict

CUTS = Path(__file__).parent / "cuts"
AROUND = {
    "en": ("Earlier words stand here. ", " Later words follow."),
    "ja": ("前の文がここにある。", "後の文がここに続く。"),
}


def verdict(line: str, language: str) -> Verdict:
    before, after = AROUND[language]
    left, _, rest = line.partition("[[")
    quote, _, right = rest.partition("]]")
    return Sources({"text": f"{before}{left}{quote}{right}{after}"}).check("text", quote)


def lines(name: str) -> list[str]:
    return [line for line in (CUTS / name).read_text(encoding="utf-8").splitlines() if line]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_cut_that_says_something_else_is_turned_back(language: str) -> None:
    """Case A17."""
    let_through = [line for line in lines(f"{language}_other.txt") if verdict(line, language).accepted]
    assert let_through == []


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_cut_that_says_the_same_is_let_through(language: str) -> None:
    turned_back = [line for line in lines(f"{language}_same.txt") if not verdict(line, language).accepted]
    assert turned_back == []


@pytest.mark.parametrize(
    ("text", "quote", "left_out"),
    [
        ("The tenant may not sublet the flat.", "sublet the flat", "not"),
        ("Refunds are paid unless the ticket was used.", "Refunds are paid", "unless"),
        ("The plan is unlawful in every respect.", "lawful in every respect", "un"),
        ("This form is non-binding for members.", "binding for members", "non-"),
        ("It was kept at −20 °C for a week.", "20 °C for a week", "-"),
        ("The prize is $3 million this year.", "The prize is $3", "million"),
        ("Is the water in the tank safe?", "the water in the tank safe", "?"),
        ("未承認の薬が売られた。", "承認の薬が売られた", "未"),
        ("申請は30日以内に行う。", "申請は30日", "以内"),
        ("館内での撮影は禁止です。", "館内での撮影", "禁止"),
        ("雨が降った場合は、試合を延期する。", "試合を延期する", "場合は"),
    ],
)
def test_the_verdict_names_what_was_left_out(text: str, quote: str, left_out: str) -> None:
    found = Sources({"text": text}).check("text", quote)
    assert (found.reason, found.hint) == ("truncated", left_out)
    assert text[found.start : found.end] == quote


@pytest.mark.parametrize(
    ("text", "quote", "says_the_same"),
    [
        ("Do not:\n\n- open the case\n- break the yellow seal\n", "break the yellow seal", False),
        ("These tools are forbidden here:\n- saws of any kind\n", "saws of any kind", False),
        ("We did not move, for these reasons:\n- the rent was low\n", "the rent was low", True),
        ("If it does not start, check that:\n1. the fuse is whole\n", "the fuse is whole", True),
        ("次に掲げる行為をしてはならない。\n一　職務の秘密を漏らすこと。\n", "職務の秘密を漏らすこと", False),
        ("次の手順で行う。\n1. 電源を切る\n", "電源を切る", True),
    ],
)
def test_a_denial_that_introduces_a_list_reaches_its_items(text: str, quote: str, says_the_same: bool) -> None:
    assert Sources({"text": text}).check("text", quote).accepted == says_the_same


def test_a_clean_place_is_enough_however_many_cut_ones_there_are() -> None:
    text = "You must not feed the ducks. " * 30 + "Children may feed the ducks."
    found = Sources({"text": text}).check("text", "feed the ducks")
    assert found.accepted and found.start > len("You must not feed the ducks. ") * 30


def test_what_is_crossed_out_is_not_said() -> None:
    text = "~~The fee is 5 euros.~~ The fee is 7 euros."
    sources = Sources({"text": text})
    assert sources.check("text", "The fee is 5 euros.").reason == "truncated"
    assert sources.check("text", "The fee is 7 euros.").accepted


def test_a_denial_in_another_sentence_does_not_reach() -> None:
    text = "The gate is never locked. The keys hang in the hall. Nobody takes them."
    assert Sources({"text": text}).check("text", "The keys hang in the hall.").accepted


@pytest.mark.parametrize("tag", ["del", "s", "strike", "DEL"])
def test_what_a_tag_crosses_out_is_not_said(tag: str) -> None:
    text = f"<{tag} class='x'>The fee is 5 euros.</{tag}> The fee is 7 euros. We open at <{tag}>nine</{tag}> ten."
    sources = Sources({"text": text})
    assert sources.check("text", "The fee is 5 euros.").reason == "truncated"
    assert sources.check("text", "The fee is 7 euros.").accepted
    assert not sources.check("text", "We open at nine").accepted
    assert not sources.check("text", "We open at nine ten.").accepted
    assert sources.check("text", f"We open at <{tag}>nine</{tag}> ten.").accepted


def test_what_a_tag_crosses_out_over_several_blocks_is_not_said() -> None:
    sources = Sources({"text": "<del>\n\nThe fee is 5 euros.\n\n- Dogs may come.\n\n</del>\n\nCats may come.\n"})
    assert sources.check("text", "The fee is 5 euros.").reason == "truncated"
    assert sources.check("text", "Dogs may come.").reason == "truncated"
    assert sources.check("text", "Cats may come.").accepted


@pytest.mark.parametrize(
    "text",
    [
        "<p hidden>The fee is 5 euros.</p>\n\nThe gate is open.",
        '<div class="a" style="color: red; display: none">A <div>box</div>. The fee is 5 euros.</div>The gate is open.',
        "<script>\n\nThe fee is 5 euros.\n\n</script>\n\nThe gate is open.",
        "The gate <style>The fee is 5 euros.</style>is open.",
        "The gate <span hidden>The fee is 5 euros. </span>is open.",
    ],
)
def test_what_a_page_does_not_show_cannot_be_quoted(text: str) -> None:
    sources = Sources({"text": text})
    assert sources.check("text", "The fee is 5 euros.").reason == "not_found"
    assert sources.check("text", "The gate is open.").accepted


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Put `<script>` first. The fee is 5 euros. Then `</script>` follows.", "The fee is 5 euros."),
        ("```\n<p hidden>\nThe fee is 5 euros.\n</p>\n```\n", "The fee is 5 euros."),
        ("A <script> tag comes first. The fee is 5 euros.", "The fee is 5 euros."),
        ('<p class="not hidden at all">The fee is 5 euros.</p>', "The fee is 5 euros."),
        ("<p aria-hidden='true'>The fee is 5 euros.</p>", "The fee is 5 euros."),
        ("The <time datetime='x'>first</time> <label>fee</label> is 5 euros.", "The first fee is 5 euros."),
    ],
)
def test_what_only_looks_hidden_can_be_quoted(text: str, quote: str) -> None:
    assert Sources({"text": text}).check("text", quote).accepted


@pytest.mark.parametrize(
    "lead",
    [
        "Not covered",
        "## Exclusions",
        "What you must not do",
        "Myths about bees:",
        "You will lose your cover if you:",
        "If the test is positive:",
        "In case of fire:",
        "## When the alarm sounds",
        "We do not accept",
        "禁止事項",
        "## 補償しないもの",
        "してはいけないこと",
        "よくある誤解",
        "火災の場合：",
        "Excluded risks",
        "Common mistakes",
        "Should the alarm sound:",
        "Contraindicated in:",
        "### Removed",
        "Fixed in 4.2:",
        "禁止されていること",
        "以下は保証の対象外です。",
        "以下の場合は返金できません。",
        "次は対象外です。",
    ],
)
def test_a_heading_that_denies_or_is_a_condition_reaches_the_items_under_it(lead: str) -> None:
    sources = Sources({"text": f"{lead}\n\n- the cellar windows and doors\n- 地下室の窓と扉を開ける\n"})
    assert sources.check("text", "the cellar windows and doors").reason == "truncated"
    assert sources.check("text", "地下室の窓と扉を開ける").reason == "truncated"


@pytest.mark.parametrize(
    "lead",
    [
        "Every spring you:",
        "These rules cannot be changed:",
        "## House rules",
        "When we arrived:",
        "Nothing was lost. We saved:",
        "What you need",
        "### Fixed",
        "以下の場合は返金します。",
        "動かない場合は、以下を確かめてください。",
        "持ち物",
        "忘れないこと：",
        "次の手順で行う。",
    ],
)
def test_a_heading_that_neither_denies_nor_is_a_condition_leaves_the_items_alone(lead: str) -> None:
    assert Sources({"text": f"{lead}\n\n- wash the cellar floor\n"}).check("text", "wash the cellar floor").accepted


@pytest.mark.parametrize(
    ("lead", "item"),
    [
        ("### Removed", "Drop the support of old lamps"),
        ("Fixed in 4.2:", "The lamp now burns all night"),
        ("Fixed in 4.2:", "Corrected the hinge of the door"),
    ],
)
def test_an_item_that_says_itself_what_was_changed_stands_alone(lead: str, item: str) -> None:
    assert Sources({"text": f"{lead}\n\n- {item}\n"}).check("text", item).accepted


def test_a_heading_that_denies_reaches_an_only_item_right_under_it() -> None:
    assert (
        Sources({"text": "Not covered\n- a burst pipe in winter\n"}).check("text", "a burst pipe in winter").hint
        == "not"
    )


def test_a_heading_that_denies_reaches_the_items_of_an_inner_list() -> None:
    text = "Not covered\n\n- damage by water\n  - a burst pipe in winter\n"
    assert Sources({"text": text}).check("text", "a burst pipe in winter").reason == "truncated"


TABLE = """| Covered | Not covered | Allowed |
|---|---|---|
| a burst pipe | a flood of the river | yes |
| a broken window | a war in the land | yes |
| a dog on the sofa | a cat in the hall | no |
| 犬の同伴と給餌 | 猫の同伴と給餌 | × |
"""


@pytest.mark.parametrize("quote", ["a flood of the river", "a war in the land", "a dog on the sofa", "犬の同伴と給餌"])
def test_a_cell_says_something_else_without_the_head_or_neighbour_that_denies_it(quote: str) -> None:
    assert Sources({"text": TABLE}).check("text", quote).reason == "truncated"


@pytest.mark.parametrize("quote", ["a burst pipe", "a broken window", "| a dog on the sofa | a cat in the hall | no |"])
def test_a_cell_or_row_that_nothing_denies_is_let_through(quote: str) -> None:
    assert Sources({"text": TABLE}).check("text", quote).accepted


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Wing span: 11 m\nNo. of seats: 4\nEngine: one\n", "Wing span: 11 m"),
        ("Origin: Mosel\nNot suitable for: infants\nBottled: 2021\n", "Origin: Mosel"),
        ("origin: Mosel valley\nnot suitable for: infants\n", "origin: Mosel valley"),
        ("Rooms to let: 4\nMiles to the sea: 3\n", "Rooms to let: 4"),
        ("Close the upper window\nDo not touch the lamp\nLock the door\n", "Close the upper window"),
        (
            "Added a second lamp to the door of the workshop\nDropped the support of candles in all of the rooms\n"
            "Removed a hinge which nobody had been able to open\n",
            "Added a second lamp to the door of the workshop",
        ),
        ("電源を切る\n窓は開けない\n鍵をかける\n", "電源を切る"),
        ("The sea is deep here.\u00b9 It is never warm.", "The sea is deep here."),
        ("The sea is deep here.[1] It is never warm.", "The sea is deep here."),
        ("港の祭りは楽しい♪ 雨なら中止です。", "港の祭りは楽しい"),
        ("港の祭りは楽しいwww 雨なら中止です。", "港の祭りは楽しい"),
    ],
)
def test_a_line_or_sign_that_ends_a_statement_keeps_out_what_follows(text: str, quote: str) -> None:
    assert Sources({"text": text}).check("text", quote).accepted


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The wardens of the old harbour town say that you must not\nFeed the ducks.", "Feed the ducks."),
        ("Nobody in this long street of houses was ever seen by\nMary Ann at the window.", "Mary Ann at the window."),
        (
            "It was never proved in any court of this country that the owner\nEdward Hale stole the lamp "
            "from the house by the river, nor was\nit said by anyone.",
            "Edward Hale stole the lamp",
        ),
        ("Under no circumstances\nChildren may enter the mine\n", "Children may enter the mine"),
        ("The pass is valid\nOnly on Sundays in May\n", "The pass is valid"),
        ("Dogs are welcome here\nExcept on the beach\n", "Dogs are welcome here"),
        ("Not true:\nDucks eat bread all day\n", "Ducks eat bread all day"),
        ("会費は返金する\nただし年度末を除く\n", "会費は返金する"),
        ("The gate is open on Monday\nunless it rains.", "The gate is open on Monday"),
        ("会員は館内の書庫にある資料を\nコピーしてはならない。", "館内の書庫にある資料を"),
    ],
)
def test_a_line_that_goes_on_does_not_keep_out_what_turns_it(text: str, quote: str) -> None:
    assert Sources({"text": text}).check("text", quote).reason == "truncated"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The mill was sold for two hundred crowns.", "The mill was sold for two"),
        ("The mill was sold for two hundred crowns.", "hundred crowns"),
        ("The walk took two and a half days.", "The walk took two"),
        ("The town has twenty-five wells.", "The town has twenty"),
        ("The hall seats between 100 and 300 guests.", "The hall seats between 100"),
        ("The hall seats between 100 and 300 guests.", "300 guests"),
        ("The hall seats 100 or 300 guests.", "The hall seats 100"),
        ("The hall seats 100 or 300 guests.", "300 guests"),
        ("Max. 12 people may board.", "12 people may board"),
        ("A maximum of 12 people may board.", "12 people may board"),
        ("Upwards of 12 people came aboard.", "12 people came aboard"),
        ("One in 40 boats leaks badly.", "40 boats leaks badly"),
        ("The dose is 5 µg per kg of weight.", "The dose is 5 µg"),
        ("The duty follows from section 4(2)(b) of the act.", "The duty follows from section 4"),
        ("会場には数百人が集まった。", "百人が集まった"),
        ("気温は十二度半だった。", "気温は十二度"),
        ("気温は12・5度だった。", "気温は12"),
        ("気温は12・5度だった。", "5度だった"),
    ],
)
def test_a_cut_within_a_quantity_is_turned_back(text: str, quote: str) -> None:
    assert Sources({"text": text}).check("text", quote).reason == "truncated"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Two hundred crowns were paid for the mill.", "Two hundred crowns were paid"),
        ("The hall seats 100, and 300 more stand outside.", "The hall seats 100"),
        ("We saw the two and they waved at us.", "We saw the two"),
        ("The room costs 80 euros a night.", "The room costs 80 euros"),
        ("The town has 40 wells and a dry river.", "The town has 40 wells"),
        ("Rain fell in 1920 (a wet year).", "Rain fell in 1920"),
        ("The number of guests was 40 people.", "40 people"),
        ("参加者の人数は百人だったと記録にある。", "百人だったと記録にある"),
        ("十月半ばに祭りがある。", "祭りがある"),
    ],
)
def test_a_cut_beside_a_quantity_is_let_through(text: str, quote: str) -> None:
    assert Sources({"text": text}).check("text", quote).accepted


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        ("## Not OK\n\n- You can’t rent out the shed.\n- Park on the grass.\n", "You can’t rent out the shed.", True),
        ("## Not OK\n\n- You can’t rent out the shed.\n- Park on the grass.\n", "Park on the grass.", False),
        ("## Things that are not true\n\n- You can't catch it twice.\n", "You can't catch it twice.", False),
        ("There are exceptions:\n\n- In general, schools are exempt.\n", "In general, schools are exempt.", True),
        ("There are exceptions:\n\n- guests of the club\n", "guests of the club", False),
        ("Clubs that are not paid will be one of the following:\n\n- large youth clubs\n", "large youth clubs", True),
        ("Those who do not have the following must wait:\n\n- a valid passport\n", "a valid passport", False),
        ("When reading the version:\n\n- The first number counts.\n", "The first number counts.", True),
        ("When it rains:\n\n- The first gate is shut.\n", "The first gate is shut.", False),
    ],
)
def test_a_title_that_denies_leaves_a_ban_and_a_statement_among_exceptions_as_they_are(
    text: str, quote: str, stands: bool
) -> None:
    """So does a denial that only says which subject is meant."""
    assert Sources({"text": text}).check("text", quote).accepted == stands
