"""Every thing of the world, drawn: a table from its name to the few strokes that make it."""

from __future__ import annotations

from collections.abc import Callable

from commonsight.world.draw import things_animals as animals
from commonsight.world.draw import things_carry as carry
from commonsight.world.draw import things_food as food
from commonsight.world.draw import things_furniture as furniture
from commonsight.world.draw import things_house as house
from commonsight.world.draw import things_outside as outside
from commonsight.world.draw import things_play as play
from commonsight.world.draw.pen import Pen
from commonsight.world.draw.things_brush import Brush
from commonsight.world.model import Prop

DRAWN: dict[str, Callable[[Brush], None]] = {
    "chair": furniture.chair,
    "couch": furniture.couch,
    "bench": furniture.bench,
    "bed": furniture.bed,
    "dining table": furniture.dining_table,
    "desk": furniture.desk,
    "counter": furniture.counter,
    "shelf": furniture.shelf,
    "potted plant": house.potted_plant,
    "lamp": house.lamp,
    "refrigerator": house.refrigerator,
    "oven": house.oven,
    "sink": furniture.sink,
    "blackboard": house.blackboard,
    "window": furniture.window,
    "door": furniture.door,
    "clock": house.clock,
    "painting": house.painting,
    "tv": house.tv,
    "cash register": house.cash_register,
    "shopping cart": house.shopping_cart,
    "wheelchair": house.wheelchair,
    "parasol": house.parasol,
    "beach towel": furniture.beach_towel,
    "sand castle": outside.sand_castle,
    "stage light": house.stage_light,
    "balloon": play.balloon,
    "piano": furniture.piano,
    "drum": play.drum,
    "easel": house.easel,
    "ladder": house.ladder,
    "puddle": house.puddle,
    "bucket": house.bucket,
    "tree": outside.tree,
    "car": outside.car,
    "bus": outside.bus,
    "truck": outside.truck,
    "bicycle": outside.bicycle,
    "motorcycle": outside.motorcycle,
    "boat": outside.boat,
    "traffic light": outside.traffic_light,
    "stop sign": outside.stop_sign,
    "fire hydrant": outside.fire_hydrant,
    "dog": animals.dog,
    "cat": animals.cat,
    "bird": animals.bird,
    "horse": animals.horse,
    "cup": food.cup,
    "wine glass": food.wine_glass,
    "bottle": food.bottle,
    "bowl": food.bowl,
    "plate": food.plate,
    "fork": food.fork,
    "knife": food.knife,
    "spoon": food.spoon,
    "pot": food.pot,
    "tray": food.tray,
    "apple": food.apple,
    "banana": food.banana,
    "orange": food.orange,
    "carrot": food.carrot,
    "sandwich": food.sandwich,
    "pizza": food.pizza,
    "hot dog": food.hot_dog,
    "donut": food.donut,
    "cake": food.cake,
    "book": carry.book,
    "newspaper": carry.newspaper,
    "letter": carry.letter,
    "map": carry.map_,
    "laptop": carry.laptop,
    "cell phone": carry.cell_phone,
    "remote": carry.remote,
    "camera": carry.camera,
    "microphone": carry.microphone,
    "umbrella": carry.umbrella,
    "backpack": carry.backpack,
    "handbag": carry.handbag,
    "suitcase": carry.suitcase,
    "gift box": carry.gift_box,
    "candle": carry.candle,
    "flower": play.flower,
    "vase": food.vase,
    "teddy bear": play.teddy_bear,
    "sports ball": play.sports_ball,
    "kite": play.kite,
    "frisbee": play.frisbee,
    "skateboard": outside.skateboard,
    "surfboard": outside.surfboard,
    "tennis racket": play.tennis_racket,
    "guitar": play.guitar,
    "stethoscope": carry.stethoscope,
    "medicine": food.medicine,
    "broom": house.broom,
    "hammer": play.hammer,
    "scissors": play.scissors,
    "pencil": play.pencil,
    "money": carry.money,
    "ticket": carry.ticket,
}
"""How each class in `things.THINGS` is drawn."""


def draw_thing(
    pen: Pen, prop: Prop, x: float, y: float, unit: float, light: str = "day", weather: str = "clear"
) -> None:  # fmt: skip
    """Draw a thing with the middle of its bottom edge at (x, y), where a grown-up is `unit` pixels tall.

    What has a front faces right; light and weather show behind window panes. The pen's entity is the
    caller's to set.
    """
    DRAWN[prop.name](Brush(pen, prop, x, y, unit, light, weather))
