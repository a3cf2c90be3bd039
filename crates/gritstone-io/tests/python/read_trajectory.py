"""Reads a trajectory as docs/trajectory.md describes it, with nothing but Python's own library, and compares it with what it
must hold. Usage: read_trajectory.py FOLDER, as `cargo run --example trajectory_sample` writes it.
"""

import json
import math
import struct
import sys
import zlib
from pathlib import Path


def chunks(data):
    assert data[:8] == bytes.fromhex("8947524954 0D0A1A") and struct.unpack_from("<II", data, 8) == (2, 0)
    at = 16
    while at < len(data):
        tag, stored, raw, check, step, time, number, header_check = struct.unpack_from("<4sIIIQdII", data, at)
        assert zlib.crc32(data[at : at + 36]) == header_check
        payload = data[at + 40 : at + 40 + stored]
        assert zlib.crc32(payload) == check
        payload = zlib.decompress(payload)
        assert len(payload) == raw
        yield tag.decode(), step, time, number, payload
        at += 40 + stored


class Columns:
    def __init__(self, payload, at):
        self.payload, self.at = payload, at

    def take(self, kind, n):
        """A column: planes of bytes, the lowest first."""
        width = struct.calcsize("<" + kind)
        planes = self.payload[self.at : self.at + n * width]
        self.at += n * width
        numbers = (bytes(planes[k * n + i] for k in range(width)) for i in range(n))
        return [struct.unpack("<" + kind, number)[0] for number in numbers]

    def vectors(self, kind, n, d):
        return list(zip(*(self.take(kind, n) for _ in range(d)))) if n else []

    def halves(self, n, d, unit):
        return [[half(u) * unit for u in v] for v in self.vectors("H", n, d)]


def half(u):
    sign, e, m = (-1) ** (u >> 15), (u >> 10) & 31, u & 1023
    return 0.0 if e == 0 else math.nan if e == 31 else sign * (1 + m / 1024) * 2.0 ** (e - 15)


def quaternion(words):
    largest = (words[0] >> 12) & 3
    others = [(2 * (word & 0xFFF) / 4095 - 1) / math.sqrt(2) for word in words]
    others.insert(largest, math.sqrt(1 - sum(v * v for v in others)))
    return others


def frame(payload, lists, d):
    number, n, walls, contacts, recorded, spare = struct.unpack_from("<6I", payload, 0)
    q, *origin, velocity_unit, spin_unit, load_unit, force_unit = struct.unpack_from("<8d", payload, 24)
    columns = Columns(payload, 88)
    place = lambda steps: [o + q * i for o, i in zip(origin, steps)]
    ids, shapes, materials = lists[number]
    grains = {
        "id": ids,
        "shape": shapes,
        "material": materials,
        "position": [place(steps) for steps in columns.vectors("i", n, d)],
        "rotation": [quaternion(w) if d == 3 else 2 * math.pi * w[0] / 65536 for w in columns.vectors("H", n, 3 if d == 3 else 1)],
        "velocity": columns.halves(n, d, velocity_unit),
        "spin": columns.halves(n, 3 if d == 3 else 1, spin_unit),
        "load": [v[0] for v in columns.halves(n, 1, load_unit)],
        "coordination": columns.take("B", n),
    }
    presence = columns.take("f", walls)
    wall_rows = columns.vectors("f", walls, d + (4 if d == 3 else 1) + d)
    ends = list(zip(columns.take("I", contacts), columns.take("I", contacts)))
    points = [place(steps) for steps in columns.vectors("i", contacts, d)]
    forces = columns.halves(contacts, d, force_unit)
    assert columns.at == len(payload)
    return grains, list(zip(presence, wall_rows)), list(zip(ends, points, forces))


def near(a, b, tolerance):
    return all(abs(x - y) <= tolerance for x, y in zip(a, b, strict=True))


def check(data, expected):
    described, lists, frames = None, {}, []
    for tag, step, time, number, payload in chunks(data):
        if tag == "HEAD":
            described = json.loads(payload)
        if tag == "GRNS":
            n = struct.unpack_from("<I", payload)[0]
            columns = Columns(payload, 4)
            lists[number] = [columns.take(kind, n) for kind in "IIH"]
        if tag == "FRAM":
            frames.append((step, time, frame(payload, lists, described["dimension"])))
    d = described["dimension"]
    assert [f[:2] for f in frames] == [(f["step"], f["time"]) for f in expected["frames"]]
    for (_, _, (grains, walls, contacts)), wanted in zip(frames, expected["frames"]):
        for key in ("id", "shape", "material", "coordination"):
            assert grains[key] == [grain[key] for grain in wanted["grains"]], key
        for i, grain in enumerate(wanted["grains"]):
            assert near(grains["position"][i], grain["position"][:d], 1e-4)
            assert near(grains["velocity"][i], grain["velocity"][:d], 3e-3)
            assert near(grains["spin"][i], grain["spin"] if d == 3 else grain["spin"][2:], 3e-3)
            if d == 3:
                q, r = grains["rotation"][i], grain["quaternion"]
                sign = 1 if sum(a * b for a, b in zip(q, r)) > 0 else -1
                assert near(q, [sign * x for x in r], 1e-3)
            else:
                turn = (grains["rotation"][i] - 2 * math.atan2(grain["quaternion"][3], grain["quaternion"][0])) % (2 * math.pi)
                assert min(turn, 2 * math.pi - turn) < 1e-3
        assert len(walls) == wanted["walls"] == len(described["walls"]) and all(present == 1 for present, _ in walls)
        assert len(contacts) == len(wanted["contacts"])
        for ((a, b), point, force), contact in zip(contacts, wanted["contacts"]):
            assert grains["id"][a] == contact["a"]
            assert b - 2**31 == contact["b"] if contact["with_wall"] else grains["id"][b] == contact["b"]
            assert near(point, contact["point"][:d], 1e-4) and near(force, contact["force"][:d], 0.05)
    return len(frames)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name in ("space", "plane"):
        wanted = json.loads((folder / f"{name}.json").read_text())
        count = check((folder / f"{name}.grit").read_bytes(), wanted)
        print(f"{name}: {count} frames hold what they must")
