"""One attempt to put an episode on stage: who plays, what stands where, what is held, who looks at what."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import cast

from msgspec.structs import replace

from commonsight.world.cast import JOB_OUTFITS, Character, Movie
from commonsight.world.draft import Draft, Person, Thing
from commonsight.world.draw.geometry import AGE_HEIGHT, PILLOW
from commonsight.world.layout import (
    Body,
    Cramped,
    across,
    anywhere,
    beside,
    find,
    fits,
    person_body,
    thing_body,
)
from commonsight.world.model import Expression, Hat, Light, Look, Outfit, Pose, Size, Spot
from commonsight.world.places import Place
from commonsight.world.plots.script import Episode, Need, Role, choices
from commonsight.world.things import SCALE, THINGS

ON_SEATS = ("sitting", "lying", "sleeping")
MAY_SIT = ("reading", "eating", "playing")
ROOM_ON = {"couch": 2, "bench": 2}
"""How many can sit on a seat, if more than one."""
HARMLESS = {"full", "empty", "asleep"}
"""States that clutter may be in without telling a story."""
BYSTANDERS = (0, 0, 1, 1, 2)
SIZES: tuple[Size, ...] = ("small", "medium", "medium", "large")
HELD_SIZES: tuple[Size, ...] = ("medium", "medium", "large")
OWN_STATES = {"stage light": "lit", "parasol": "open", "shelf": "full", "shopping cart": "empty"}


def _legible(name: str) -> Size:
    """How large evidence is: small things are easily overlooked."""
    return "large" if THINGS[name].height < 0.25 else "medium"


def _x(thing: Thing) -> float:
    return thing.spot.x


def _apart(one: Spot, other: Spot) -> float:
    return abs(one.x - other.x) + abs(one.depth - other.depth)


def _top(surface: Thing) -> float:
    """How high a surface is, in grown-ups."""
    kind = THINGS[surface.name]
    return (kind.top or 0.0) * kind.height * SCALE[surface.size]


def _slots(surface: Thing, number: int) -> list[Spot]:
    """Where things on a surface are: evenly spread from left to right, as they are drawn."""
    wide = across(THINGS[surface.name].width, surface.spot.depth) * 0.94
    shares = [(place + 1) / (number + 1) - 0.5 for place in range(number)]
    return [Spot(surface.spot.x + share * wide, surface.spot.depth - 0.005) for share in shares]


class Scenery:
    """A stage in the making. `build` tells whether everything found its place."""

    def __init__(
        self, movie: Movie, episode: Episode, place: Place, light: Light, rng: Random, slack: float = 0.0
    ) -> None:
        self.movie, self.episode, self.place, self.light = movie, episode, place, light
        self._rng, self._slack = rng, slack
        self.draft = Draft()
        self._people, self._things, self._alias = self.draft.people, self.draft.things, self.draft.alias
        self._bodies: list[Body] = []

    # -- building

    def build(self) -> bool:
        """Put everything on stage; False if there was no room."""
        try:
            self._furnish()
            self._place_all()
            for need in self.episode.needs:
                if need.where == "surface":
                    self._put_on_surface(need.key, self._pick(need.thing), "evidence", need.near)
        except Cramped:
            return False
        self._add_bystanders()
        self._add_clutter()
        return True

    def _furnish(self) -> None:
        """The place's own things; those that an episode asks for are surely there."""
        asked = {need.key: self._pick_there(need) for need in self.episode.needs if need.where == "there"}
        names = {thing.partition("/")[0].partition(":")[0] for thing in asked.values()}
        names |= {name for role in self.episode.roles for name in choices(role.seat)}
        large = any(need.where == "back" for need in self.episode.needs)
        for number, fixture in enumerate(self.place.fixtures):
            chance = fixture.chance * (0.4 if large and fixture.chance < 1 else 1.0)
            if self._rng.random() < chance or fixture.name in names:
                jitter = 0.0 if fixture.on else self._rng.uniform(-0.012, 0.012)
                spot = Spot(fixture.x + jitter, fixture.depth)
                host = next((thing.key for thing in self._things.values() if thing.name == fixture.on), "")
                self._add_thing(
                    f"fixture{number}", fixture.name, spot, on=host, state=self._own_state(fixture.name)
                )
        for key, thing in asked.items():
            self._claim(key, thing)

    def _own_state(self, name: str) -> str | None:
        if name == "lamp":
            return None if self.light == "day" else "lit"
        if name == "blackboard":
            return self._rng.choice(("full", "empty"))
        return OWN_STATES.get(name)

    def _pick_there(self, need: Need) -> str:
        """One of the things that the need allows and the place has."""
        here = {fixture.name for fixture in self.place.fixtures}
        fitting = [
            thing for thing in choices(need.thing) if thing.partition("/")[0].partition(":")[0] in here
        ]
        return self._rng.choice(fitting or choices(need.thing))

    def _claim(self, key: str, thing: str) -> None:
        """Let one of the place's things be what the episode needs, in the state it needs."""
        wanted, _, colour = thing.partition("/")
        name, _, state = wanted.partition(":")
        own = [
            each
            for each in self._things.values()
            if each.name == name and each.key not in self._alias.values()
        ]
        if not own:
            raise Cramped
        chosen = self._rng.choice(own)
        self._alias[key] = chosen.key
        chosen.state, chosen.colour = state or chosen.state, colour or chosen.colour

    def _place_all(self) -> None:
        """Roles and things on the floor; whoever stands beside another comes after them."""
        waiting: list[Role | Need] = [
            *(need for need in self.episode.needs if need.where not in ("there", "surface")),
            *sorted(self.episode.roles, key=lambda role: (not role.seat, role.seat.startswith("%"))),
        ]
        players = self._cast_roles()
        while waiting:
            item = next((item for item in waiting if self.draft.known(item.near)), None)
            assert item is not None, f"{self.episode.name}: roles and needs are near each other in a circle"
            waiting.remove(item)
            if isinstance(item, Role):
                self._place_role(item, players[item.key])
            else:
                self._place_need(item)

    # -- people

    def _cast_roles(self) -> dict[str, Character]:
        """Who plays what: working clothes stay with one character, the rest is drawn by lot."""
        roles = sorted(self.episode.roles, key=lambda role: len(choices(role.age)))
        chosen = self._assigned(roles, self._rng.sample(self.movie.cast, len(self.movie.cast)))
        assert chosen is not None, (
            f"{self.movie.name} has not the cast for {self.episode.name!r}: ask castable first"
        )
        return chosen

    def _assigned(self, roles: list[Role], left: list[Character]) -> dict[str, Character] | None:
        """A player for each role, or None if some role would have none."""
        if not roles:
            return {}
        role, *others = roles
        jobs = {self.movie.jobs[outfit] for outfit in choices(role.outfit) if outfit in JOB_OUTFITS}
        fitting = [character for character in left if character.look.age in choices(role.age)]
        for player in sorted(fitting, key=lambda character: character.name not in jobs):
            rest = self._assigned(others, [character for character in left if character is not player])
            if rest is not None:
                return {role.key: player, **rest}
        return None

    def _place_role(self, role: Role, player: Character) -> None:
        pose = cast("Pose", self._rng.choice(choices(role.pose)))
        seat = self._seat(role, pose)
        outfit, hat = self._rng.choice(choices(role.outfit)), self._rng.choice(choices(role.hat))
        look = replace(
            player.look,
            outfit=cast("Outfit", outfit or player.look.outfit),
            hat=cast("Hat", hat) if hat else None if outfit else player.look.hat,
        )
        body = self._seated(look, pose, seat) if seat else self._standing(role, look, pose)
        self._bodies.append(body)
        held = self._rng.choice(choices(role.holds))
        person = Person(
            role.key, player, look, pose, cast("Expression", self._rng.choice(choices(role.face))), body.spot,
            self._rng.choice(choices(role.looks)), role.points if pose == "pointing" else "", seat=seat,
            partner=role.partner if pose in ("hugging", "handing over") else "",
        )  # fmt: skip
        if held:
            person.holds = f"@{role.key}"
            self._add_described(person.holds, held, body.spot, solid=False).size = self._rng.choice(
                HELD_SIZES
            )
        self._people[role.key] = person

    def _seat(self, role: Role, pose: str) -> str:
        """The key of the seat that a role takes, or nothing."""
        if not role.seat or pose not in (*ON_SEATS, *MAY_SIT):
            return ""
        if role.seat.startswith("%"):
            return self._people[role.seat[1:]].seat
        allowed = choices(role.seat)
        free = [
            thing.key for thing in self._things.values() if thing.name in allowed and self._free(thing, pose)
        ]
        if free and role.near:
            near = self.draft.spot_of(role.near).x
            return min(free, key=lambda key: abs(self._things[key].spot.x - near))
        if free:
            return self._rng.choice(free)
        name = self._rng.choice([name for name in allowed if name])
        body = find(
            self._rng,
            anywhere(0.3, 0.6),
            lambda spot: thing_body(name, "medium", spot),
            self._bodies,
            slack=self._slack,
        )
        return self._add_thing(f"seat of {role.key}", name, body.spot).key

    def _free(self, thing: Thing, pose: str) -> bool:
        taken = sum(person.seat == thing.key for person in self._people.values())
        lying = any(person.seat == thing.key and person.pose == "lying" for person in self._people.values())
        claimed = thing.key in self._alias.values() and thing.name in ("chair", "bench", "couch")
        room = 1 if pose in ("lying", "sleeping") else ROOM_ON.get(thing.name, 1)
        return taken < room and not lying and not claimed and thing.state != "fallen"

    def _seated(self, look: Look, pose: str, seat: str) -> Body:
        thing = self._things[seat]
        taken = [person.spot.x for person in self._people.values() if person.seat == seat]
        half = across(THINGS[thing.name].width, thing.spot.depth) / 2
        kind = THINGS[thing.name]
        lift = (kind.seat or 0.0) * kind.height * SCALE[thing.size]

        def spots(rng: Random) -> Spot:
            offset = 0.0
            if ROOM_ON.get(thing.name, 1) > 1 and pose not in ("lying", "sleeping"):
                offset = rng.choice((-0.45, 0.45)) * half
            if thing.name == "bed" and pose in ("lying", "sleeping"):  # the head is on the pillow
                offset = 0.9 * (PILLOW * 2 * half + 0.32 * across(AGE_HEIGHT[look.age], thing.spot.depth))
            if taken:
                offset = 0.45 * half if taken[0] < thing.spot.x else -0.45 * half
            return Spot(thing.spot.x + offset, thing.spot.depth - 0.01)

        return find(
            self._rng, spots, lambda spot: person_body(look.age, pose, spot, lift, seated=True), self._bodies,
            tries=3, slack=self._slack,
        )  # fmt: skip

    def _standing(self, role: Role, look: Look, pose: str) -> Body:
        return find(
            self._rng, self._places_to_stand(role), partial(person_body, look.age, pose), self._bodies,
            slack=self._slack,
        )  # fmt: skip

    def _places_to_stand(self, role: Role) -> Callable[[Random], Spot]:
        if role.partner in self._people and role.pose == "hugging":
            return beside(self.draft.spot_of(role.partner), 0.078, 0.09, 0.01, 0.01)
        if role.partner in self._people and not self._people[role.partner].seat:
            return beside(self.draft.spot_of(role.partner), 0.14, 0.19, 0.05, 0.05)
        key = self._alias.get(role.near or role.partner, role.near or role.partner)
        if key in self._people and self._people[key].seat:
            key = self._people[key].seat
        if key in self._things:
            thing = self._things[key]
            half = across(THINGS[thing.name].width, thing.spot.depth) / 2
            if thing.name in ("bed", "couch"):  # beside it counts from its middle
                return beside(Spot(thing.spot.x, thing.spot.depth + 0.1), 0.09, 0.155, 0.0, 0.07)
            return beside(thing.spot, max(0.08, half * 0.7), max(0.15, half + 0.06), 0.15, 0.1)
        if key in self._people:
            return beside(self.draft.spot_of(key), 0.09, 0.15)
        return anywhere(0.62, 0.8) if role.deep else anywhere(0.06, 0.5)

    def _add_bystanders(self) -> None:
        """People who happen to be there and do nothing that tells a story."""
        few = len(self.episode.roles) < 2
        number = self._rng.choice((1, 1, 2)) if few else self._rng.choice(BYSTANDERS)
        playing = {person.character.name for person in self._people.values()}
        free = [
            character
            for character in self.movie.cast
            if character.name not in playing and (self.place.children or character.look.age != "child")
        ]
        for character in self._rng.sample(free, min(number, len(free))):
            pose: Pose = self._rng.choice(("standing", "walking"))
            try:
                make = partial(person_body, character.look.age, pose)
                body = find(self._rng, anywhere(0.15, 0.62), make, self._bodies, tries=40 if few else 14)
            except Cramped:
                continue
            self._bodies.append(body)
            face: Expression = self._rng.choice(("neutral", "neutral", "happy"))
            key = f"bystander {character.name}"
            self._people[key] = Person(key, character, character.look, pose, face, body.spot)

    # -- things

    def _pick(self, text: str) -> str:
        return self._rng.choice(choices(text))

    def _add_described(self, key: str, described: str, spot: Spot, on: str = "", solid: bool = True) -> Thing:
        wanted, _, colour = described.partition("/")
        name, _, state = wanted.partition(":")
        return self._add_thing(key, name, spot, on, state or None, colour, solid)

    def _add_thing(
        self, key: str, name: str, spot: Spot, on: str = "", state: str | None = None, colour: str = "",
        solid: bool = True,
    ) -> Thing:  # fmt: skip
        kind = THINGS[name]
        thing = Thing(
            key, name, colour or self._rng.choice(kind.colours), spot, state=state, on=on,
            size="medium" if kind.top or kind.seat or name == "window" else self._rng.choice(SIZES),
            material=self._rng.choice(kind.materials) if kind.materials else "",
        )  # fmt: skip
        self._things[key] = thing
        if solid and not on and kind.stands in ("floor", "surface"):
            self._bodies.append(thing_body(name, thing.size, spot))
        return thing

    def _place_need(self, need: Need) -> None:
        described = self._pick(need.thing)
        name = described.partition("/")[0].partition(":")[0]
        if need.where in ("wall", "ceiling"):
            self._add_described(need.key, described, Spot(self._rng.uniform(0.15, 0.85), 1.0), solid=False)
            return
        if need.where == "near":
            spots = beside(self.draft.spot_of(need.near), 0.07, 0.15, 0.15, 0.1)
        else:
            spots = anywhere(0.78, 0.9) if need.where == "back" else anywhere(0.05, 0.35)
        size = _legible(name)
        make = partial(thing_body, name, size, hidden="evidence")
        body = find(self._rng, spots, make, self._bodies, slack=self._slack)
        self._add_described(need.key, described, body.spot, solid=False).size = size
        self._bodies.append(body)

    def _put_on_surface(self, key: str, described: str, hidden: str, near: str = "") -> None:
        """On one of the surfaces, the nearest to `near` if that is given, where nobody stands in front.

        Evidence has its surface to itself.
        """
        name = described.partition("/")[0].partition(":")[0]
        evidence = {self._things[need.key].on for need in self.episode.needs if need.key in self._things}
        surfaces = [
            thing
            for thing in self._things.values()
            if THINGS[thing.name].top is not None and thing.key not in evidence
        ]
        if near and surfaces:
            spot = self.draft.spot_of(near)
            surfaces = [min(surfaces, key=lambda thing: _apart(thing.spot, spot))]
        size = _legible(name) if hidden == "evidence" else self._rng.choice(SIZES)
        for _ in range(20 if surfaces else 0):
            surface = min(
                self._rng.choices(surfaces, k=2), key=lambda thing: thing.spot.depth
            )  # nearer is better
            crowd = sorted((thing for thing in self._things.values() if thing.on == surface.key), key=_x)
            place = self._rng.randint(0, len(crowd))
            slots = _slots(surface, len(crowd) + 1)
            body = thing_body(name, size, slots[place], hidden, _top(surface))
            if fits(body, self._bodies, self._slack):
                thing = self._add_described(key, described, slots[place], on=surface.key)
                thing.size = size
                for each, spot in zip((*crowd[:place], thing, *crowd[place:]), slots, strict=True):
                    each.spot = spot
                self._bodies.append(body)
                return
        raise Cramped

    def _add_clutter(self) -> None:
        """Small things that lie about, as many as find room; none that could be mistaken for what matters."""
        told = {thing.name for key, thing in self._things.items() if not key.startswith("fixture")}
        usual = [name for name in self.place.usual if name not in told]
        floor = [name for name in self.place.floor if name not in told]
        for number in range(self._rng.randint(0, 4) if usual else 0):
            name = self._rng.choice(usual)
            try:
                self._put_on_surface(f"clutter{number}", self._harmless(name), "clutter")
            except Cramped:
                continue
        for number in range(self._rng.choice((0, 1, 1, 2)) if floor else 0):
            name = self._rng.choice(floor)
            try:
                make = partial(thing_body, name, "medium", hidden="clutter")
                body = find(self._rng, anywhere(0.1, 0.75), make, self._bodies, tries=8)
            except Cramped:
                continue
            self._add_described(
                f"loose{number}", self._harmless(name), body.spot, solid=False
            ).size = "medium"
            self._bodies.append(body)

    def _harmless(self, name: str) -> str:
        states = [state for state in THINGS[name].states if state in HARMLESS]
        return f"{name}:{self._rng.choice(states)}" if states and self._rng.random() < 0.5 else name
