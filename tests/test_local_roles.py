"""A word of yes affirms as the predicate of a statement, not as a noun, an attribute, an order or a condition."""

from __future__ import annotations

from typing import Any

import pytest

from sekisho.agents.local.agent import LocalAgent
from tests.local import local_agent, only

PETS = {"type": "bool", "name": "pet_friendly", "description": "Whether visitors may bring a dog or another pet."}
PUBLIC = {"type": "bool", "name": "open_to_public", "description": "Whether the mill is open to the public."}
WORKS = {"type": "bool", "name": "works", "description": "Whether the lamp works."}
USB = {"type": "bool", "name": "usb_supported", "description": "Whether the device supports USB sticks."}
FREE = {"type": "bool", "name": "entry_free", "description": "Whether the entry is free of charge."}
CERTIFIED = {"type": "bool", "name": "certificate_current", "description": "Whether the certificate is current."}
ANYONE = {"type": "bool", "name": "anyone_may_enter", "description": "Whether anyone may enter the garden."}
MEMBERS = {"type": "bool", "name": "members_may_enter", "description": "Whether members may enter the garden."}
INU = {"type": "bool", "name": "犬の同伴", "description": "犬の同伴が許可されているか"}
KOUKAI = {"type": "bool", "name": "一般公開", "description": "庭が一般に公開されていて、誰でも入れるか"}
SHIYOU = {"type": "bool", "name": "一般使用", "description": "一般の人の使用が許可されているか"}


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> LocalAgent:
    return local_agent(tmp_path_factory.mktemp("state"))


# Written before the rule.
@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("Please wait for the green light before you open the door to the public.", PUBLIC, None),
        ("To open the mill to the public would cost a lot of money.", PUBLIC, None),
        ("The public path leads along open water below the mill.", PUBLIC, None),
        ("Whether the mill can pay its way with the public is an open question.", PUBLIC, None),
        ("The mill is open to the public every Sunday.", PUBLIC, True),
        ("The mill is dry, warm and open to all.", PUBLIC, True),
        ("The mill is not open to the public.", PUBLIC, False),
        ("Please keep your dog and other pets on a lead.", PETS, None),
        ("Keep pets on a short lead near the sheep.", PETS, None),
        ("Pets welcome.", PETS, True),
        ("Please do not bring dogs or other pets.", PETS, False),
        ("We welcome dogs and other pets.", PETS, True),
        ("The lamp works on 12 volts.", WORKS, None),
        ("He works in the mill and carries a lamp.", WORKS, None),
        ("The lamp works well again.", WORKS, True),
        ("The lamp no longer works.", WORKS, False),
        ("The shelf below the USB socket supports a load of 5 kg.", USB, None),
        ("The device supports USB sticks of any size.", USB, True),
        ("Free the latch at the entry before you push.", FREE, None),
        ("The paint at the entry is lead-free.", FREE, None),
        ("The entry is free.", FREE, True),
        ("The current on the certificate is 3 A.", CERTIFIED, None),
        ("The certificate is current until May.", CERTIFIED, True),
        ("Only members may enter the garden.", ANYONE, None),
        ("Only members may enter the garden.", MEMBERS, True),
        ("犬の同伴は許可証が必要である。", INU, None),
        ("犬の同伴は許可されている。", INU, True),
        ("犬の同伴は避けたほうがよい。", INU, None),
        ("犬は必ずつないでください。", INU, None),
        ("庭に入れるのは会員のみで、一般公開の日は決まっていない。", KOUKAI, None),
        ("可燃物の一般使用は届け出る。", SHIYOU, None),
        ("一般の人の使用は可。", SHIYOU, True),
    ],
)
def test_a_word_affirms_as_the_predicate_of_a_statement(
    agent: LocalAgent, text: str, field: dict[str, Any], expected: bool | None
) -> None:
    assert only(agent, text, **field)[0] is expected


# Written after the rule, and counted at first sight.
@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("The ranger opens the mill for the public on request only.", PUBLIC, None),
        ("Before opening the mill to the public, the owner must ask the council.", PUBLIC, None),
        ("If the mill is open to the public, a flag flies.", PUBLIC, None),
        pytest.param(
            "The mill is open on Sundays and closed to nobody.",
            PUBLIC,
            True,
            marks=pytest.mark.xfail(strict=True, reason="a word of no is not turned round by what follows it"),
        ),
        ("Mill open to the public daily.", PUBLIC, True),
        ("The mill stands in the open, and the public can see it.", PUBLIC, None),
        ("The mill should be open to the public by next year.", PUBLIC, None),
        ("Ask at the desk whether the mill is open to the public.", PUBLIC, None),
        ("Please note that the mill is open to the public.", PUBLIC, True),
        ("Never leave a dog or another pet in the car.", PETS, None),
        ("Feel free to bring your dog or other pets.", PETS, True),
        ("Dogs and other pets are fine with us.", PETS, True),
        ("Visitors who bring a dog pay a fine of 80 euros.", PETS, False),
        ("Dogs dig up the fine sand, and other pets do too.", PETS, None),
        ("We met a dog and its happy owner at the mountain pass.", PETS, None),
        ("Only guide dogs are allowed, and no other pets.", PETS, False),
        ("The lamp works as a heater, too.", WORKS, None),
        ("Both lamps are working.", WORKS, True),
        ("Road works block the way to the lamp.", WORKS, None),
        ("Ready the lamp before you go down.", WORKS, None),
        ("Include the USB cable when you ship the device.", USB, None),
        ("USB sticks are supported since version 2.", USB, True),
        ("USB is not supported by this device.", USB, False),
        ("Children enter free of charge.", FREE, True),
        ("The free latch at the entry rattles.", FREE, None),
        ("Make sure that the certificate lies in the drawer.", CERTIFIED, None),
        ("We are not sure whether the certificate is still valid.", CERTIFIED, None),
        ("As soon as possible the certificate goes to the office.", CERTIFIED, None),
        ("The certificate is valid and hangs at the door.", CERTIFIED, True),
        ("The office keeps certificates in order of size.", CERTIFIED, None),
        ("The garden is for members only.", ANYONE, None),
        ("Anyone may enter the garden.", ANYONE, True),
        ("犬を同伴しないでください。", INU, False),
        ("犬の同伴ができる。", INU, True),
        ("犬の同伴には職員の許可を得てください。", INU, None),
        ("犬の同伴はできるだけ控える。", INU, None),
        ("犬を同伴する場合は届け出なくてもよい。", INU, None),
        ("庭は一般公開されている。", KOUKAI, True),
        ("一般公開は検討の可能性がある。", KOUKAI, None),
        ("一般公開の前に安全点検を行う。", KOUKAI, None),
        ("一般の人は使用できない。", SHIYOU, False),
        ("一般の人の使用は許可されていない。", SHIYOU, False),
        ("許可証があれば一般の人も使用できる。", SHIYOU, None),
        ("一般の人が扉を開く前に使用できるか確かめる。", SHIYOU, None),
    ],
)
def test_a_word_affirms_as_the_predicate_of_a_statement_at_first_sight(
    agent: LocalAgent, text: str, field: dict[str, Any], expected: bool | None
) -> None:
    assert only(agent, text, **field)[0] is expected
