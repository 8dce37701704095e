"""Lists, tables, headings, quotations and amended text: which pieces a quote may put together, and which not."""

from __future__ import annotations

import pytest

from sekisho.gates import Sources

PLAN = "| Plan | Price |\n|---|---|\n| Basic plan | 5 EUR per month |\n| Pro plan | 20 EUR per month |\n"
LIST = "1. Open the lid\n2. Close the valve\n"
SAME = "1. Open the lid\n1. Close the valve\n1. Oil the hinge\n"
LETTERED = "(a) the tenant pays the rent in advance\n(b) the landlord insures the house\n"
TASKS = "- [ ] Encrypt the backup disk\n- [x] Write the manual pages\n"
LEVELS = "1.1 The Tenant shall pay the rent in advance.\n\n1.2 The Landlord insures the house."


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        ("The Tenant shall pay the rent in advance.", "7. The Tenant shall pay the rent in advance.", False),
        ("7. The Tenant shall pay the rent in advance.", "12. The Tenant shall pay the rent in advance.", False),
        ("7. The Tenant shall pay the rent in advance.", "7. The Tenant shall pay the rent in advance.", True),
        ("7. The Tenant shall pay the rent in advance.", "The Tenant shall pay the rent in advance.", True),
        (LIST, "2. Open the lid", False),
        (LIST, "3. Close the valve", False),
        (LIST, "2. Close the valve", True),
        (LIST, "1. Open the lid 2. Close the valve", True),
        (LIST, "1) Open the lid\n2) Close the valve", True),
        (LIST, "2. Open the lid Close the valve", False),
        (LIST, "2. Open the lid 1. Close the valve", False),
        (LIST, "Open the lid Close the valve", True),
        (SAME, "2. Close the valve", True),
        (SAME, "2. Oil the hinge", False),
        (SAME, "1. Open the lid 2. Close the valve", True),
        ("Ranking:\n\n1. Tokyo Tower\n2. Osaka Castle\n", "1. Osaka Castle", False),
        (LETTERED, "(b) the tenant pays the rent in advance", False),
        (LETTERED, "(b) the landlord insures the house", True),
        ("１．甲は乙に家を貸す。\n２．乙は甲に賃料を払う。\n", "2．甲は乙に家を貸す。", False),
        ("１．甲は乙に家を貸す。\n２．乙は甲に賃料を払う。\n", "1．甲は乙に家を貸す。", True),
    ],
)
def test_the_number_of_an_item_may_be_left_out_but_is_never_another_one(text: str, quote: str, stands: bool) -> None:
    """As it is written or, where all items have the same, as it is shown."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        (LEVELS, "The Tenant shall pay the rent in advance. The Landlord insures the house.", True),
        (LEVELS, "1.1 The Tenant shall pay the rent in advance.", True),
        (LEVELS, "1.2 The Tenant shall pay the rent in advance.", False),
        (LEVELS, "1.1 The Tenant shall pay the rent in advance. 1.2 The Landlord insures the house.", True),
        ("3.5 million people live here.\n\nThey like it.", "million people live here.", False),
    ],
)
def test_numbers_of_several_levels_are_marks_beside_a_neighbour(text: str, quote: str, stands: bool) -> None:
    """`3.5 million` has none."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        (PLAN, "5 EUR per month Pro plan", False),
        (PLAN, "Price Basic plan", False),
        (PLAN, "Basic plan 5 EUR per month Pro plan 20 EUR per month", True),
        (PLAN, "| Basic plan | 5 EUR per month |\n| Pro plan | 20 EUR per month |", True),
        (PLAN, "Plan Price Basic plan 5 EUR per month", True),
        ("| 項目 | 料金 |\n|---|---|\n| 基本プラン | 500円 |\n| 上級プラン | 900円 |\n", "500円 上級プラン", False),
        ("| 項目 | 料金 |\n|---|---|\n| 基本プラン | 500円 |\n| 上級プラン | 900円 |\n", "上級プラン 900円", True),
        (
            "| Drug | Children | Adults |\n|---|---|---|\n| Dolorix | 100 mg a day | 400 mg a day |\n",
            "Adults | Dolorix | 100 mg a day",
            False,
        ),
        ("Term: 12 months\n\nNotice: 3 months\n", "12 months Notice", False),
        ("Term: 12 months\n\nNotice: 3 months\n", "Term: 12 months Notice: 3 months", True),
        ("## Free of charge\n\n## Parking\n\nParking costs 5 EUR per day.", "Free of charge Parking", False),
        ("## Fees\n\nParking costs 5 EUR per day.", "Fees Parking costs 5 EUR per day.", True),
        ("- the first lamp is red\n- the second lamp is blue\n", "lamp is red the second lamp", False),
        ("- the first lamp is red\n- the second lamp is blue\n", "the first lamp is red the second lamp is blue", True),
        ("The quick dog runs over the\n\nold bridge in the town.", "quick dog runs over the old bridge", True),
    ],
)
def test_pieces_of_two_rows_items_or_paragraphs_are_stitched(text: str, quote: str, stands: bool) -> None:
    """Whole rows, items and sentences beside each other are not."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        (TASKS, "Encrypt the backup disk", False),
        (TASKS, "[ ] Encrypt the backup disk", True),
        (TASKS, "- [ ] Encrypt the backup disk", True),
        (TASKS, "Write the manual pages", True),
    ],
)
def test_a_task_that_is_not_done_keeps_its_box(text: str, quote: str, stands: bool) -> None:
    """A quote of it without the box says that it is to be done, or done."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        (
            "> We paid rent of EUR\n> 1,250 each month in advance.\n",
            "We paid rent of EUR 1,250 each month in advance.",
            True,
        ),
        (
            ">> We paid rent of EUR\n>> 1,250 each month in advance.\n",
            "We paid rent of EUR 1,250 each month in advance.",
            True,
        ),
        ("> 1,250 euros were paid\n> each month in advance.\n", "1,250 euros were paid each month in advance.", True),
        ("The value is\n> 5 at noon.", "The value is 5 at noon.", False),
    ],
)
def test_a_quoted_line_may_begin_with_a_figure(text: str, quote: str, stands: bool) -> None:
    """Where a line beside it is quoted, the sign is no `greater than`."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        ("Shipping costs <del>4.90 EUR</del> 9.90 EUR per order.", "Shipping costs 9.90 EUR per order.", True),
        ("Shipping costs ~~4.90 EUR~~ 9.90 EUR per order.", "Shipping costs 9.90 EUR per order.", True),
        ("Shipping costs ~~4.90 EUR~~ 9.90 EUR per order.", "Shipping costs 4.90 EUR per order.", False),
        ("Shipping costs ~~4.90 EUR~~ 9.90 EUR per order.", "Shipping costs 4.90 EUR 9.90 EUR per order.", False),
        ("Shipping costs ~~4.90 EUR~~ 9.90 EUR per order.", "4.90 EUR per order", False),
    ],
)
def test_what_is_crossed_out_may_be_left_out(text: str, quote: str, stands: bool) -> None:
    """What stands for it is said; both together are not, without the marks."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        ("Store below 25 °C in the dark.", "Store below 25°C in the dark.", True),
        ("Store below 25°C in the dark.", "Store below 25 °C in the dark.", True),
        ("Take 5mg twice a day.", "Take 5 mg twice a day.", True),
        ("Take 5 pills twice a day.", "Take 5pills twice a day.", False),
    ],
)
def test_a_unit_stands_behind_its_number_with_or_without_a_space(text: str, quote: str, stands: bool) -> None:
    """Other words do not."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


def test_pieces_of_two_rows_are_told_as_stitched() -> None:
    assert Sources({"text": PLAN}).check("text", "5 EUR per month Pro plan").reason == "stitched"


TITLED = "\nTerms\n~~~~~\n\nThe ``fee`` is due in May. See Lodge_ or the keeper.\n\nMore\n~~~~\n\nIt is `paid` twice.\n"


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        (TITLED, "The fee is due in May.", True),
        (TITLED, "See Lodge or the keeper.", True),
        (TITLED, "See Lodge_ or the keeper.", True),
        (TITLED, "It is paid twice.", True),
        ("Run this:\n~~~~~~~~~~\nkeep `all` of it\n~~~~~~~~~~\n", "keep `all` of it", True),
        ("Run this:\n~~~~~~~~~~\nkeep `all` of it\n~~~~~~~~~~\n", "keep all of it now", False),
        ("Set `class_` and the name snake_case_ here.", "Set class_ and the name snake_case_ here.", True),
        ("Set the name snake_case_ here.", "Set the name snakecase here.", False),
        ("Pass ```` tags or ``data-`` names to it.", "Pass tags or data- names to it.", True),
        ("属する `` の `id` を指定します。", "属する の id を指定します。", True),
        ("`` は `x`、``（小）は `y` です（[``](/z) は除く）。", "は x、（小）は y です（ は除く）。", True),
        ("See :external+py3.14:mod:`math` for the rest.", "See math for the rest.", True),
        ("詳しくは[付録][a-1]で説明されています。", "詳しくは付録で説明されています。", True),
        ("Write cells[0][1] to read it.", "Write cells to read it.", False),
        ("1. Uses the ``__init__`` method\n2. Ends the run\n", "1. Uses the __init__ method 2. Ends the run", True),
    ],
)
def test_marks_of_restructured_text_and_of_nothing_are_no_words(text: str, quote: str, stands: bool) -> None:
    """A line of tildes under a title, a reference of one word, an empty code span, a link without its target."""
    assert Sources({"text": text}).check("text", quote).accepted == stands


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        ("呼べばいいでしょうか？\nListing 7 は短い例です。", "呼べばいいでしょうか？Listing 7 は短い例です。", True),
        ("三つの要素\n――すなわち名前――\nについて学びます。", "三つの要素――すなわち名前――について学びます。", True),
        ("大きな違いがあります:\n`if`では値を返します。", "大きな違いがあります:ifでは値を返します。", True),
        ("The ratio is 10:\n5 of them stayed.", "The ratio is 10:5 of them stayed.", False),
        ("(b) You may copy the plan.\n", "（ｂ） Ｙｏｕ ｍａｙ ｃｏｐｙ ｔｈｅ ｐｌａｎ．", True),
        (LIST, "- Open the lid - Close the valve", True),
        ("1. Take 5\n2. Take 3\n", "Take 5 - Take 3", True),
        ("- 旅行損害保険\n- 旅行代理店手数料\n", "旅行損害保険\n旅行代理店手数料", True),
        ("Open the lid Close the valve", "Open the lid - Close the valve", False),
        ("It was lost—by a user—for good.", "It was lost — by a user — for good.", True),
        ("It was lost – by a user – for good.", "It was lost—by a user—for good.", True),
        ("A well-kept boat lies here.", "A well - kept boat lies here.", False),
        ("From 5 — 7 of them stayed.", "From 5—7 of them stayed.", False),
        ("Ask for a read-only seat at x@gsa.gov. Read-only users may look.", "Read-only users may look.", True),
    ],
)
def test_the_end_of_a_line_and_the_mark_of_an_item_may_be_written_otherwise(
    text: str, quote: str, stands: bool
) -> None:
    assert Sources({"text": text}).check("text", quote).accepted == stands
