"""What is told, planned, supposed, needed, limited or denied in other words is no yes."""

from __future__ import annotations

from typing import Any

import pytest

from sekisho.agents.local.agent import LocalAgent
from tests.local import local_agent, only

CAMP = {"type": "bool", "name": "camping_allowed", "description": "Whether camping is allowed in the meadow."}
VEGAN = {"type": "bool", "name": "vegan", "description": "Whether the soup is vegan."}
LIFT = {"type": "bool", "name": "lift_works", "description": "Whether the lift works."}
BOOK = {"type": "bool", "name": "available", "description": "Whether the book is available for loan."}
DRINK = {"type": "bool", "name": "drinkable", "description": "Whether the water of the spring is safe to drink."}
PAINT = {"type": "bool", "name": "repainted", "description": "Whether the fence has been repainted."}
REG = {"type": "bool", "name": "registered", "description": "Whether the drone is registered."}
ACC = {"type": "bool", "name": "cards_accepted", "description": "Whether the shop accepts cards."}
TOWER = {"type": "bool", "name": "open_to_visitors", "description": "Whether the tower is open to visitors."}
BIKE = {"type": "bool", "name": "bicycles_permitted", "description": "Whether bicycles are permitted on the train."}
FROST = {"type": "bool", "name": "frost_hardy", "description": "Whether the plant is frost hardy."}
BATH = {"type": "bool", "name": "heated", "description": "Whether the hall is heated."}
JPET = {"type": "bool", "name": "ペット可", "description": "ペットを連れて入ってよいか"}
JDRINK = {"type": "bool", "name": "飲用", "description": "その水が飲めるか"}
JPARK = {"type": "bool", "name": "駐車可", "description": "駐車してよいか"}
DOGS = {"type": "bool", "name": "dogs_allowed", "description": "Whether dogs may be taken along on the trail."}
CAL = {"type": "bool", "name": "calibrated", "description": "Whether the device is calibrated."}
WATER = {"type": "bool", "name": "waterproof", "description": "Whether the jacket keeps out water."}


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> LocalAgent:
    return local_agent(tmp_path_factory.mktemp("state"))


# `expected`: every value that is right.
@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("Camping is allowed in the meadow.", CAMP, (True,)),
        ("Campers can camp in the meadow; camping is permitted all summer.", CAMP, (True,)),
        ("The soup is vegan.", VEGAN, (True,)),
        ("The lift works again since Tuesday.", LIFT, (True,)),
        ("The book is available at the main desk.", BOOK, (True,)),
        ("The water of the spring is safe to drink.", DRINK, (True,)),
        ("The fence was repainted in April.", PAINT, (True,)),
        ("The drone is registered with the authority.", REG, (True,)),
        ("The shop accepts cards and cash.", ACC, (True,)),
        ("Cards are accepted here.", ACC, (True,)),
        ("The tower is open to visitors on weekdays.", TOWER, (True,)),
        ("Bicycles are permitted on the train outside the rush hour.", BIKE, (True,)),
        ("The plant is fully frost hardy.", FROST, (True,)),
        ("The hall is heated in winter.", BATH, (True,)),
        ("The fence has been repainted.", PAINT, (True,)),
        ("Yes, bicycles are permitted on the train.", BIKE, (True,)),
        ("The soup is anything but vegan.", VEGAN, (False,)),
        ("The plant is far from frost hardy.", FROST, (False,)),
        (
            "The hall is hardly heated.",
            BATH,
            (
                False,
                None,
            ),
        ),
        (
            "The lift barely works.",
            LIFT,
            (
                False,
                None,
            ),
        ),
        (
            "The lift seldom works.",
            LIFT,
            (
                False,
                None,
            ),
        ),
        ("The lift works no more.", LIFT, (False,)),
        ("The book is no longer available.", BOOK, (False,)),
        (
            "The water is less than safe to drink.",
            DRINK,
            (
                False,
                None,
            ),
        ),
        (
            "The lift works as well as a stopped clock.",
            LIFT,
            (
                False,
                None,
            ),
        ),
        (
            "It would be a lie to call the soup vegan.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        (
            "The fence fails to look repainted.",
            PAINT,
            (
                False,
                None,
            ),
        ),
        ("The drone is by no means registered.", REG, (False,)),
        (
            "Nothing proves that the drone is registered.",
            REG,
            (
                False,
                None,
            ),
        ),
        (
            "There is no proof that the drone is registered.",
            REG,
            (
                False,
                None,
            ),
        ),
        ("The plant is almost frost hardy.", FROST, (None,)),
        ("The tower is scarcely ever open to visitors.", TOWER, (None,)),
        ("The soup is nearly vegan.", VEGAN, (None,)),
        ("The drone is supposedly registered.", REG, (None,)),
        ("The drone is allegedly registered.", REG, (None,)),
        ("Instead of camping allowed in the meadow there is a hotel.", CAMP, (None,)),
        ("Cards will be accepted from March.", ACC, (None,)),
        ("The shop plans to accept cards.", ACC, (None,)),
        (
            "The fence will be repainted in spring.",
            PAINT,
            (
                False,
                None,
            ),
        ),
        (
            "The fence is to be repainted.",
            PAINT,
            (
                False,
                None,
            ),
        ),
        (
            "The fence is due to be repainted.",
            PAINT,
            (
                False,
                None,
            ),
        ),
        (
            "The fence should have been repainted by now.",
            PAINT,
            (
                False,
                None,
            ),
        ),
        ("The lift may work tomorrow.", LIFT, (None,)),
        ("The book might be available on Friday.", BOOK, (None,)),
        ("The book could be available in another branch.", BOOK, (None,)),
        ("The tower is expected to be open to visitors in May.", TOWER, (None,)),
        ("We hope that the tower is open to visitors by then.", TOWER, (None,)),
        ("The tower is going to be open to visitors.", TOWER, (None,)),
        ("Camping is about to be allowed in the meadow.", CAMP, (None,)),
        ("Camping may soon be allowed in the meadow.", CAMP, (None,)),
        ("Repainting of the fence: due in May.", PAINT, (None,)),
        ("The hall can be heated if need be.", BATH, (None,)),
        ("Bicycles would be permitted on a longer train.", BIKE, (None,)),
        ("The cook says that the soup is vegan.", VEGAN, (None,)),
        ("The cook claims the soup is vegan.", VEGAN, (None,)),
        ("I think the soup is vegan.", VEGAN, (None,)),
        ("According to a guest the soup is vegan.", VEGAN, (None,)),
        ("Apparently the lift works.", LIFT, (None,)),
        ("It is said that the water of the spring is safe to drink.", DRINK, (None,)),
        ("The neighbours believe the water is safe to drink.", DRINK, (None,)),
        ("Rumour says that camping is allowed in the meadow.", CAMP, (None,)),
        ("She doubts whether the drone is registered.", REG, (None,)),
        ("We assume that the drone is registered.", REG, (None,)),
        ("The drone is rumoured to be registered.", REG, (None,)),
        ("It is unclear if the drone is registered.", REG, (None,)),
        ("Perhaps the plant is frost hardy.", FROST, (None,)),
        ("The plant is probably frost hardy.", FROST, (None,)),
        ("The drone was registered by the previous owner.", REG, (None,)),
        (
            "The hall was once heated.",
            BATH,
            (
                False,
                None,
            ),
        ),
        (
            "Camping had been allowed in the meadow.",
            CAMP,
            (
                False,
                None,
            ),
        ),
        (
            "Cards were accepted until 2018.",
            ACC,
            (
                False,
                None,
            ),
        ),
        (
            "The lift worked well in the old days.",
            LIFT,
            (
                False,
                None,
            ),
        ),
        ("The age of the tower is open to debate among visitors.", TOWER, (None,)),
        ("The tower's guides are open to questions from visitors.", TOWER, (None,)),
        ("The lift runs on hydraulic oil and works at 200 bar.", LIFT, (None,)),
        ("The vegan soups stand on the next page.", VEGAN, (None,)),
        ("You need a registered drone to take part.", REG, (None,)),
        ("A registered drone is required.", REG, (None,)),
        ("Bicycles are permitted only on request.", BIKE, (None,)),
        ("Only folding bicycles are permitted on the train.", BIKE, (None,)),
        ("Cards are accepted or refused as the shop pleases.", ACC, (None,)),
        ("The book about available loans is in the cellar.", BOOK, (None,)),
        ("If the season is dry, camping is allowed in the meadow.", CAMP, (None,)),
        ("Unless the wind is strong, the tower is open to visitors.", TOWER, (None,)),
        ("When the flag is up, the tower is open to visitors.", TOWER, (None,)),
        ("ペットを連れて入ってはいけない。", JPET, (False,)),
        ("ペットを連れて入ってはならない。", JPET, (False,)),
        ("ペット可と聞いたが、確かではない。", JPET, (None,)),
        ("ペット可らしい。", JPET, (None,)),
        ("ペット可かもしれない。", JPET, (None,)),
        ("ペット可のはずである。", JPET, (None,)),
        ("ペット可という噂がある。", JPET, (None,)),
        ("ペット可となる予定である。", JPET, (None,)),
        ("ペット可。", JPET, (True,)),
        ("この水は飲用に適さない。", JDRINK, (False,)),
        ("この水は有害なので飲んではいけない。", JDRINK, (False,)),
        ("飲用可能だと言われている。", JDRINK, (None,)),
        ("この水は飲用可能である。", JDRINK, (True,)),
        ("ここに駐車してはいけない。", JPARK, (False,)),
        ("ここは駐車可である。", JPARK, (True,)),
        pytest.param(
            "駐車可だったが、今は禁止されている。",
            JPARK,
            (False,),
            marks=pytest.mark.xfail(strict=True, reason="not read"),
        ),
        (
            "駐車はできないと思われる。",
            JPARK,
            (
                False,
                None,
            ),
        ),
        ("駐車は可能だろう。", JPARK, (None,)),
    ],
)
def test_only_a_plain_statement_is_a_yes_first(
    agent: LocalAgent, text: str, field: dict[str, Any], expected: tuple[bool | None, ...]
) -> None:
    assert only(agent, text, **field)[0] in expected


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("Dogs are welcome on the whole trail, if kept on a lead.", DOGS, (True,)),
        (
            "You may take your dog; dogs are allowed on a lead only.",
            DOGS,
            (
                None,
                True,
            ),
        ),
        ("Dogs are allowed as long as they are leashed.", DOGS, (True,)),
        ("A sign at the gate says that dogs are allowed.", DOGS, (True,)),
        ("The device was calibrated on 3 March 2024.", CAL, (True,)),
        ("The device is calibrated and should be checked again in May.", CAL, (True,)),
        ("Since the repair, the device is calibrated again.", CAL, (True,)),
        (
            "You will be glad to hear that dogs are allowed.",
            DOGS,
            (
                None,
                True,
            ),
        ),
        ("The soup is vegan and will stay so.", VEGAN, (True,)),
        (
            "We have a vegan soup.",
            VEGAN,
            (
                None,
                True,
            ),
        ),
        ("You can see that the tower is open to visitors.", TOWER, (True,)),
        ("The shop has accepted cards since 2020.", ACC, (True,)),
        ("The jacket is waterproof.", WATER, (True,)),
        (
            "There is no doubt that the jacket is waterproof.",
            WATER,
            (
                None,
                True,
            ),
        ),
        ("Camping is permitted without a booking.", CAMP, (True,)),
        ("The tower is open to families and other visitors.", TOWER, (True,)),
        (
            "Dogs must not be taken along.",
            DOGS,
            (
                False,
                None,
            ),
        ),
        ("Dogs may not be taken along on the trail.", DOGS, (False, None)),
        (
            "Dogs will not be allowed on the trail this year.",
            DOGS,
            (
                False,
                None,
            ),
        ),
        ("Dogs are forbidden on the trail.", DOGS, (False,)),
        ("The device is not calibrated and should be sent back.", CAL, (False,)),
        ("The tailor swears the jacket is waterproof.", WATER, (None,)),
        ("In the seller's words, the jacket is waterproof.", WATER, (None,)),
        ("The advert calls the jacket waterproof.", WATER, (None,)),
        ("The jacket passes for waterproof.", WATER, (None,)),
        ("The jacket is said to be waterproof.", WATER, (None,)),
        ("The jacket is as good as waterproof.", WATER, (None,)),
        ("The jacket is semi-waterproof.", WATER, (None,)),
        ("I have yet to see a waterproof jacket.", WATER, (None,)),
        (
            "The jacket is hardly what anyone calls waterproof.",
            WATER,
            (
                False,
                None,
            ),
        ),
        ("The jacket was waterproof when it was new.", WATER, (None,)),
        ("The jacket is waterproof, or so the shop tells us.", WATER, (None,)),
        ("The jacket is waterproof, they say.", WATER, (None,)),
        ("The device will have been calibrated by then.", CAL, (None,)),
        (
            "The device ought to get calibrated.",
            CAL,
            (
                False,
                None,
            ),
        ),
        (
            "The device has to be calibrated.",
            CAL,
            (
                False,
                None,
            ),
        ),
        (
            "The device gets calibrated next week.",
            CAL,
            (
                False,
                None,
            ),
        ),
        (
            "The device awaits being calibrated.",
            CAL,
            (
                False,
                None,
            ),
        ),
        (
            "Nobody remembers that the device was calibrated.",
            CAL,
            (
                False,
                None,
            ),
        ),
        ("The council is debating whether dogs are allowed.", DOGS, (None,)),
        ("Petitioners want dogs to be allowed.", DOGS, (None,)),
        ("Dogs could soon be allowed.", DOGS, (None,)),
        ("Were the trail wider, dogs would be allowed.", DOGS, (None,)),
        ("In dry years, dogs are allowed only after rain.", DOGS, (None,)),
        ("Dogs are allowed now and then.", DOGS, (None,)),
        (
            "Dogs are not so much allowed as ignored.",
            DOGS,
            (
                False,
                None,
            ),
        ),
        (
            "It is a myth that dogs are allowed.",
            DOGS,
            (
                False,
                None,
            ),
        ),
        (
            "It is not true that dogs are allowed.",
            DOGS,
            (
                False,
                None,
            ),
        ),
        ("Dogs are allowed no more.", DOGS, (False,)),
        (
            "The trail is out of bounds for dogs.",
            DOGS,
            (
                False,
                None,
            ),
        ),
        (
            "The soup falls short of vegan.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        (
            "The soup cannot be called vegan.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        ("The soup pretends to be vegan.", VEGAN, (None,)),
        ("The soup might pass as vegan.", VEGAN, (None,)),
        ("The soup would like to be vegan.", VEGAN, (None,)),
        ("Is the soup vegan?", VEGAN, (None,)),
        ("Suppose the soup is vegan.", VEGAN, (None,)),
        ("Let us assume the soup is vegan.", VEGAN, (None,)),
        ("The lift works on electricity.", LIFT, (None,)),
        ("The lift works like a pump.", LIFT, (None,)),
        ("The tower is open to criticism by visitors.", TOWER, (None,)),
        ("The tower lies open to the wind.", TOWER, (None,)),
        ("Look for cards accepted by the bank.", ACC, (None,)),
        ("The available books on loan are listed below.", BOOK, (None,)),
        (
            "飲用可能とは言えない。",
            JDRINK,
            (
                False,
                None,
            ),
        ),
        ("飲用可能とされる。", JDRINK, (None,)),
        ("この水は飲用可能かどうか疑わしい。", JDRINK, (None,)),
        ("ペット可になるかもしれない。", JPET, (None,)),
        ("ペットを入れてはいけません。", JPET, (False,)),
        ("駐車してはなりません。", JPARK, (False,)),
        ("駐車可能である。", JPARK, (True,)),
        ("雨なので駐車可である。", JPARK, (True,)),
        (
            "駐車可とは限らない。",
            JPARK,
            (
                False,
                None,
            ),
        ),
    ],
)
def test_only_a_plain_statement_is_a_yes_second(
    agent: LocalAgent, text: str, field: dict[str, Any], expected: tuple[bool | None, ...]
) -> None:
    assert only(agent, text, **field)[0] in expected


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("Visitors are allowed to camp; camping is fine anywhere.", CAMP, (True,)),
        ("Camping is permitted from May to September.", CAMP, (True,)),
        ("The drone has been registered since 2021.", REG, (True,)),
        ("The drone is now registered, and the plate is on the arm.", REG, (True,)),
        ("The tower is open to visitors all year.", TOWER, (True,)),
        ("The book is available, and you can take it home.", BOOK, (True,)),
        ("In summer and winter alike, the tower is open to visitors.", TOWER, (True,)),
        ("The good news is that the lift works again.", LIFT, (True,)),
        ("All soups are vegan.", VEGAN, (True,)),
        ("Bicycles are welcome on every train.", BIKE, (True,)),
        ("The fence was repainted by the village youth.", PAINT, (True,)),
        ("Cards are gladly accepted.", ACC, (True,)),
        ("The plant is frost hardy to minus ten.", FROST, (True,)),
        ("The hall has been heated since the refit.", BATH, (True,)),
        ("The water is safe to drink, as the laboratory confirmed.", DRINK, (True,)),
        ("Bicycles are not permitted on the train.", BIKE, (False,)),
        ("The lift does not work.", LIFT, (False,)),
        ("The plant is not frost hardy.", FROST, (False,)),
        ("The hall is unheated.", BATH, (False,)),
        ("The shop does not accept cards.", ACC, (False,)),
        ("The water is unsafe to drink.", DRINK, (False,)),
        ("Camping is prohibited in the meadow.", CAMP, (False,)),
        ("The drone isn't registered.", REG, (False,)),
        ("The mayor intends to have the tower opened to visitors.", TOWER, (None,)),
        ("The tower stays open to visitors, the mayor hopes.", TOWER, (None,)),
        ("Had the tower been open to visitors, we would have gone up.", TOWER, (None,)),
        ("The tower's being open to visitors is under review.", TOWER, (None,)),
        ("Legend has the tower open to visitors once a century.", TOWER, (None,)),
        pytest.param(
            "The lift works when it feels like it.",
            LIFT,
            (None,),
            marks=pytest.mark.xfail(strict=True, reason="not read"),
        ),
        ("The lift works on and off.", LIFT, (None,)),
        ("The lift is thought to be working.", LIFT, (None,)),
        ("Some days the lift works, some days not.", LIFT, (None,)),
        ("My aunt is convinced that the water is safe to drink.", DRINK, (None,)),
        ("There is talk of camping being allowed in the meadow.", CAMP, (None,)),
        ("The farmer considers having camping allowed.", CAMP, (None,)),
        ("The question is whether camping is allowed.", CAMP, (None,)),
        ("Camping permitted? Ask the farmer.", CAMP, (None,)),
        pytest.param(
            "A vegan soup would be a fine idea.",
            VEGAN,
            (None,),
            marks=pytest.mark.xfail(strict=True, reason="not read"),
        ),
        pytest.param(
            "The soup is vegan if you leave out the cream.",
            VEGAN,
            (None,),
            marks=pytest.mark.xfail(strict=True, reason="not read"),
        ),
        (
            "The soup is vegan apart from the cream.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        (
            "The soup is vegan except for the butter.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        (
            "The soup is not entirely vegan.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        (
            "The soup is nothing like vegan.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        ("The soup is more or less vegan.", VEGAN, (None,)),
        ("The soup is mostly vegan.", VEGAN, (None,)),
        ("The soup looks vegan.", VEGAN, (None,)),
        ("The soup seems vegan.", VEGAN, (None,)),
        (
            "The soup is too salty to be called vegan.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        (
            "The soup was vegan once.",
            VEGAN,
            (
                False,
                None,
            ),
        ),
        (
            "The drone must be registered.",
            REG,
            (
                False,
                None,
            ),
        ),
        (
            "The drone still has to be registered.",
            REG,
            (
                False,
                None,
            ),
        ),
        ("The drone's registered owner moved away.", REG, (None,)),
        ("Fly registered drones alone.", REG, (None,)),
        ("Registered drones pay less.", REG, (None,)),
        ("The book is available to members alone.", BOOK, (None,)),
        ("The book is available as soon as it comes back.", BOOK, (None,)),
        ("The book becomes available on 3 May.", BOOK, (None,)),
        ("Bicycles are permitted at the guard's discretion.", BIKE, (None,)),
        (
            "Bicycles are permitted unless the train is full.",
            BIKE,
            (
                None,
                True,
            ),
        ),
        ("駐車可の場所を探す。", JPARK, (None,)),
        ("駐車可になるまで待つ。", JPARK, (None,)),
        ("ペットを連れて入れない。", JPET, (False,)),
        ("ペットは入ってもよいそうだ。", JPET, (None,)),
        ("ペットは入ってもよい。", JPET, (True,)),
    ],
)
def test_only_a_plain_statement_is_a_yes_third(
    agent: LocalAgent, text: str, field: dict[str, Any], expected: tuple[bool | None, ...]
) -> None:
    assert only(agent, text, **field)[0] in expected
