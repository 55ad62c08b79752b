"""Bots that misbehave, each in its own way, and what a check is to say of them.

A bot is the text of a file with a strategy `bot`; `topic` is the first thing that is wrong with it, and `words` are in
the report on that.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bad:
    """A bad bot: its body, what is wrong, how long it may think."""

    text: str
    topic: str
    words: str
    thorough: bool = False
    decision_ms: int = 1000


HEADER = """
import ctypes
import random
import time

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from razz_sim.strategy import strategy, whole
from razz_sim.view import *


@intrinsic
def at(typingctx, address):
    def generate(context, builder, signature, args):
        kind = context.get_value_type(types.CPointer(types.int64))
        return builder.load(builder.inttoptr(args[0], kind))
    return types.int64(types.int64), generate


@intrinsic
def put(typingctx, address, value):
    def generate(context, builder, signature, args):
        kind = context.get_value_type(types.CPointer(types.int64))
        builder.store(args[1], builder.inttoptr(args[0], kind))
        return args[1]
    return types.int64(types.int64, types.int64), generate


abort = ctypes.CDLL(None).abort
abort.restype = None
abort.argtypes = []
"""


def compiled(body: str, declared: str = "@strategy", before: str = "") -> str:
    """A compiled strategy with this body."""
    return f"{HEADER}\n{before}\n\n{declared}\ndef bot(view, params, memory, u):\n{_indented(body, 4)}\n"


def python(body: str, declared: str = "@strategy", before: str = "", more: str = "") -> str:
    """A class in plain Python whose act has this body."""
    act = f"    def act(self, view, u):\n{_indented(body, 8)}\n"
    return f"{HEADER}\n{before}\n\n{declared}\nclass bot:\n{_indented(more, 4)}\n{act}"


def array(body: str, declared: str = "@strategy", more: str = "") -> str:
    """An array class whose act_batch has this body."""
    act = f"    def act_batch(self, views, memory, u):\n{_indented(body, 8)}\n"
    return f"{HEADER}\n\n{declared}\nclass bot:\n{_indented(more, 4)}\n{act}"


def _indented(text: str, spaces: int) -> str:
    return "\n".join(" " * spaces + line for line in text.strip("\n").splitlines())


LEGAL, AGAIN, OWN_VIEW = "legal answers", "same answers again", "its own view"
PEEK = """
import sys
frame = sys._getframe(1)
while frame is not None and not hasattr(frame.f_locals.get('self'), 'hand'):
    frame = frame.f_back
hand = frame.f_locals['self'].hand[0]
return RAISE if view.raise_min and hand['hole'][1 - view.seat % 2][0] % 2 else STAY
"""
PEEK_IN_ROWS = """
import sys
frame = sys._getframe(1)
while frame is not None and not hasattr(frame.f_locals.get('self'), 'hands'):
    frame = frame.f_back
lockstep = frame.f_locals['self']
hands = lockstep.hands[lockstep.rows[0, : len(views)]]
return np.where((views['raise_min'] > 0) & (hands['key'] % 2 == 0), RAISE, STAY)
"""

ZOO: dict[str, Bad] = {
    # compiled
    "compiled: no Python": Bad("def bot(:\n", "loads", "line 1: "),
    "compiled: raises when loaded": Bad("1 / 0\n", "loads", "line 1: ZeroDivisionError"),
    "compiled: never loaded": Bad("while True:\n    pass\n", "loads", "did not answer", decision_ms=50),
    "compiled: a number of 71 bits": Bad(compiled("return 2**70"), "loads", "2 ** 70 does not fit into 64 bits"),
    "compiled: a float": Bad(compiled("return 1.0"), "compiles", "not a value of type float64"),
    "compiled: chance": Bad(compiled("return 1 if np.random.random() < 2 else 0"), "compiles", "uniform(u, 0)"),
    "compiled: a misspelt field": Bad(compiled("return view.sreet"), "compiles", "did you mean 'street'"),
    "compiled: a range's end": Bad(
        compiled("return 1 // (9 - params.n) * 0 + STAY", "@strategy(n=whole(3, 0, 9, 'n'))"),
        "parameters",
        "with n 9: ",
    ),
    "compiled: raises at the cap": Bad(compiled("return RAISE"), LEGAL, "it answered RAISE where it may"),
    "compiled: folds the bring-in": Bad(compiled("return FOLD"), LEGAL, "it may post"),
    "compiled: no limit": Bad(
        compiled("return raise_to(view.raise_max + 1) if view.raise_max > view.raise_min else STAY"),
        LEGAL,
        "cannot bet or raise to",
    ),
    "compiled: short stacks": Bad(
        compiled("return 7 if view.to_call > 0 and view.stack[view.seat] == view.to_call else STAY"),
        LEGAL,
        "its answer 7 is not",
    ),
    "compiled: eight callers": Bad(compiled("return 9 if view.shared_seventh else STAY"), LEGAL, "its answer 9 is not"),
    "compiled: an exception": Bad(
        compiled("if view.street == 6:\n    raise ValueError('what now')\nreturn STAY"), LEGAL, "ValueError: what now"
    ),
    "compiled: past an array": Bad(compiled("return STAY + view.stack[view.seats + 6] * 0"), LEGAL, "IndexError"),
    "compiled: past its memory": Bad(
        compiled("memory[view.street] = 1\nreturn STAY", "@strategy(memory=5)"), LEGAL, "IndexError"
    ),
    "compiled: writes params": Bad(
        compiled("params.n += 1\nreturn STAY", "@strategy(n=whole(3, 0, 90, 'n'))"),
        "parameters",
        "writes to its params",
    ),
    "compiled: hangs": Bad(
        compiled("while view.street == 5:\n    pass\nreturn STAY"), LEGAL, "fifth street", decision_ms=50
    ),
    "compiled: crashes": Bad(compiled("if view.street == 5:\n    abort()\nreturn STAY"), LEGAL, "SIGABRT"),
    "compiled: a wild pointer": Bad(
        compiled("if view.street == 5:\n    put(8, 1)\nreturn STAY"), LEGAL, "ended by SIGSEGV"
    ),
    "compiled: writes outside": Bad(
        compiled("put(memory.ctypes.data + 16, 1)\nreturn STAY", "@strategy(memory=2)"), OWN_VIEW, "writes outside"
    ),
    "compiled: reads outside": Bad(
        compiled("return RAISE if view.raise_min and at(memory.ctypes.data + 16) % 2 else STAY", "@strategy(memory=2)"),
        OWN_VIEW,
        "reads past",
    ),
    "compiled: a count of its own": Bad(
        compiled(
            "count = put(PLACE, at(PLACE) + 1)\nreturn raise_or_stay(view) if count % 3 == 0 else STAY",
            before="OWN = np.zeros(1, dtype=np.int64)\nPLACE = OWN.ctypes.data  # elsewhere in each process",
        ),
        AGAIN,
        "outside its own copy",
    ),
    "compiled: prints": Bad(compiled("print('hm', view.street)\nreturn STAY"), "prints nothing", "hm"),
    # plain Python
    "python: cannot be made": Bad(
        python("return STAY", more="def __init__(self):\n    1 / 0"), "compiles", "cannot be made"
    ),
    "python: None": Bad(python("return None"), LEGAL, "it answered None"),
    "python: a float": Bad(python("return 1.0"), LEGAL, "1.0, a float"),
    "python: not a number": Bad(python("return float('nan')"), LEGAL, "nan"),
    "python: a truth value": Bad(python("return True"), LEGAL, "True, a bool"),
    "python: an exception": Bad(python("return {3: STAY, 4: STAY}[view.street]"), LEGAL, "KeyError: 5"),
    "python: hangs": Bad(
        python("while view.street == 5:\n    pass\nreturn STAY"), LEGAL, "did not answer", decision_ms=50
    ),
    "python: ends the process": Bad(
        python("import os\nif view.street == 5:\n    os._exit(3)\nreturn STAY"), LEGAL, "exit code 3"
    ),
    "python: takes all memory": Bad(
        python("if view.street == 5:\n    self.much = bytearray(10**10)\nreturn STAY"), LEGAL, "MB of memory"
    ),
    "python: chance": Bad(
        python("return raise_or_stay(view) if random.random() < 0.3 else STAY"), AGAIN, "draws from random"
    ),
    "python: chance that changes nothing": Bad(python("random.random()\nreturn STAY"), AGAIN, "draws from random"),
    "python: chance of NumPy's": Bad(
        python("return raise_or_stay(view) if np.random.default_rng().random() < 0.3 else STAY"),
        AGAIN,
        "chance of its own",
    ),
    "python: the clock": Bad(
        python("return raise_or_stay(view) if time.time_ns() % 3 == 0 else STAY"), AGAIN, "looks at the clock"
    ),
    "python: a count in its class": Bad(
        python("bot.count += 1\nreturn raise_or_stay(view) if bot.count % 3 == 0 else STAY", more="count = 0"),
        AGAIN,
        "outside its own copy",
    ),
    "python: a default that remembers": Bad(
        python(
            "return raise_or_stay(view) if self.more(view.pot) % 3 == 0 else STAY",
            more="def more(self, pot, seen=[]):\n    seen.append(pot)\n    return len(seen)",
        ),
        AGAIN,
        "outside its own copy",
    ),
    "python: looks into the deck": Bad(python(PEEK), "hidden cards", "cards that it cannot see"),
    "python: copies that whisper": Bad(
        python(
            "told = SEEN.get('up', 0) if SEEN.get('pot', 0) < view.pot and view.street > 3 else 0\n"
            "SEEN.update(up=view.hole[0], pot=view.pot)\n"
            "if view.street == 3:\n    SEEN.clear()\n"
            "return raise_or_stay(view) if told > 20 else STAY",
            before="SEEN = {}",
        ),
        "its own copy",
        "what other copies of it saw",
    ),
    "python: the hash seed": Bad(
        python("return raise_or_stay(view) if hash('razz' + str(view.street)) % 2 else STAY"),
        "ships to a worker",
        "a process of its own answers differently",
    ),
    "python: a file beside it": Bad(
        python("return STAY", before="import pathlib\n\nTABLE = pathlib.Path(__file__).read_text()"),
        "ships to a worker",
        "No such file",
    ),
    "python: prints": Bad(python("print('hm', view.street)\nreturn STAY"), "prints nothing", "hm"),
    "python: keeps everything": Bad(
        python("KEPT.append(view.pot)\nreturn STAY", before="KEPT = []"), "memory", "bytes a hand", thorough=True
    ),
    # arrays
    "array: a row too few": Bad(array("return np.ones(max(1, len(views) - 1), dtype=int)"), LEGAL, "whole numbers"),
    "array: floats": Bad(array("return np.ones(len(views))"), LEGAL, "float64"),
    "array: not numbers": Bad(array("return np.full(len(views), np.nan)"), LEGAL, "float64"),
    "array: no answer": Bad(array("return np.full(len(views), 77)"), LEGAL, "its answer 77 is not"),
    "array: an exception": Bad(array("return views['sreet']"), LEGAL, "sreet"),
    "array: hangs": Bad(
        array("while (views['street'] == 5).any():\n    pass\nreturn np.ones(len(views), dtype=int)"),
        LEGAL,
        "did not answer",
        decision_ms=50,
    ),
    "array: chance": Bad(
        array("return np.where((views['raise_min'] > 0) & (np.random.random(len(views)) < 0.3), RAISE, STAY)"),
        AGAIN,
        "draws from random",
    ),
    "array: a count of calls": Bad(
        array(
            "self.calls += 1\nreturn np.where((views['raise_min'] > 0) & (self.calls % 3 == 0), RAISE, STAY)",
            more="def __init__(self):\n    self.calls = 0",
        ),
        AGAIN,
        "outside its own copy",
    ),
    "array: looks into the deck": Bad(array(PEEK_IN_ROWS), "hidden cards", "cards that it cannot see"),
    "array: rows that look at each other": Bad(
        array("return np.where((views['raise_min'] > 0) & (views['pot'] > views['pot'].mean()), RAISE, STAY)"),
        "its own copy",
        "rows that are asked beside them",
    ),
    "array: prints": Bad(array("print('hm')\nreturn np.ones(len(views), dtype=int)"), "prints nothing", "hm"),
}
