"""Tables and keys of scenes as methods and their arguments: made by python/tools/scene_builder.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import NDArray

from gritstone._builder import Builder, List, Named

Quantity = float | str
Array = NDArray[Any]


class Events(List):
    """Events at given times."""

    def add(
        self,
        *,
        at: Quantity,
        add_walls: Sequence[str] | None = None,
        cell: Mapping[str, Any] | None = None,
        freeze: Mapping[str, Any] | None = None,
        remove: Mapping[str, Any] | None = None,
        remove_walls: Sequence[str] | None = None,
    ) -> None:
        """Add a table ``[[events]]``.

        Changes at a given time. Several changes of one event are made in the order of these keys.

        Parameters
        ----------
        at : time, zero or more (s)
            Time of the event.
        add_walls : sequence of str, optional
            Names of walls to add; they are absent before.
        cell : mapping, optional
            The deformation of the cell from then on.
        freeze : mapping, optional
            Grains whose centre is in this region are fixed from then on.
        remove : mapping, optional
            Grains whose centre is in this region are removed.
        remove_walls : sequence of str, optional
            Names of walls to remove: `box` with all its sides, or `box.x-high` alone.
        """
        self._add({
            "at": at,
            "add_walls": add_walls,
            "cell": cell,
            "freeze": freeze,
            "remove": remove,
            "remove_walls": remove_walls,
        })


class Grains(List):
    """Groups of grains."""

    def lattice(
        self,
        *,
        count: Sequence[int] | Array,
        material: str,
        origin: Sequence[Quantity] | Array,
        shape: str | Sequence[str],
        spacing: Sequence[Quantity] | Array,
        jitter: Quantity | None = None,
        limit: int | None = None,
        orientation: Literal["random"] | Sequence[Quantity] | Array | Quantity | None = None,
        seed: int | None = None,
        spin: Quantity | Sequence[Quantity] | Array | None = None,
        velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[[grains]]`` with ``from = "lattice"``.

        Grains on a rectangular lattice.

        Parameters
        ----------
        count : sequence of int
            Number along each axis.
        material : str
            Name of their material.
        origin : sequence of length, finite (m)
            Position of the first grain's centre of mass; the others follow along the axes.
        shape : str or sequence of str
            Name of their shape, or a list of names from which one is drawn at random for each grain.
        spacing : sequence of length, positive (m)
            Distance between neighbours along each axis.
        jitter : length, zero or more (m), optional
            Largest random shift of each coordinate. Default: 0.0.
        limit : int, optional
            Largest number of grains; x is numbered first, then y, then z.
        orientation : {"random"} or sequence of number, finite or angle, finite (rad), optional
            Their orientation.
        seed : int, optional
            Seed of the random numbers. Default: 1.
        spin : object, optional
            Initial angular velocity of all of them.
        velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Initial velocity of all of them.
        """
        self._add({
            "from": "lattice",
            "count": count,
            "material": material,
            "origin": origin,
            "shape": shape,
            "spacing": spacing,
            "jitter": jitter,
            "limit": limit,
            "orientation": orientation,
            "seed": seed,
            "spin": spin,
            "velocity": velocity,
        })

    def points(
        self,
        *,
        material: str,
        shape: str | Sequence[str],
        at: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        orientation: Literal["random"] | Sequence[Quantity] | Array | Quantity | None = None,
        seed: int | None = None,
        spin: Quantity | Sequence[Quantity] | Array | None = None,
        velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[[grains]]`` with ``from = "points"``.

        Grains at given points.

        Parameters
        ----------
        material : str
            Name of their material.
        shape : str or sequence of str
            Name of their shape, or a list of names from which one is drawn at random for each grain.
        at : sequence of sequence of length, finite (m), optional
            Positions of their centres of mass.
        orientation : {"random"} or sequence of number, finite or angle, finite (rad), optional
            Their orientation.
        seed : int, optional
            Seed of the random numbers. Default: 1.
        spin : object, optional
            Initial angular velocity of all of them.
        velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Initial velocity of all of them.
        """
        self._add({
            "from": "points",
            "material": material,
            "shape": shape,
            "at": at,
            "orientation": orientation,
            "seed": seed,
            "spin": spin,
            "velocity": velocity,
        })

    def random(
        self,
        *,
        material: str,
        region: Mapping[str, Any],
        shape: str | Sequence[str],
        attempts: int | None = None,
        count: int | None = None,
        mass: Quantity | None = None,
        orientation: Literal["random"] | Sequence[Quantity] | Array | Quantity | None = None,
        seed: int | None = None,
        share_by: Literal["number", "mass"] | None = None,
        shares: Sequence[Quantity] | Array | None = None,
        size: Mapping[str, Any] | None = None,
        solid_fraction: Quantity | None = None,
        spin: Quantity | Sequence[Quantity] | Array | None = None,
        velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[[grains]]`` with ``from = "random"``.

        Grains at random positions without overlap with each other or walls: give `count`, `mass` or
        `solid_fraction`. Large grains are placed first; a warning states how many could not be placed.

        Parameters
        ----------
        material : str
            Name of their material.
        region : mapping
            The region that holds them entirely. At curved sides the bounding sphere of a grain counts.
        shape : str or sequence of str
            Name of their shape, or a list of names from which one is drawn at random for each grain.
        attempts : int, optional
            Trial positions per grain. Default: 2000.
        count : int, optional
            Their number.
        mass : mass, positive (kg), optional
            Their total mass.
        orientation : {"random"} or sequence of number, finite or angle, finite (rad), optional
            Their orientation. Default: "random".
        seed : int, optional
            Seed of the random numbers. Default: 1.
        share_by : {"number", "mass"}, optional
            Whether shares are of number or mass. Default: "number".
        shares : sequence of number, zero or more, optional
            Shares of the shapes, in their order; default: equal.
        size : mapping, optional
            Their size distribution; default: the size of their shapes.
        solid_fraction : number, in (0, 1], optional
            Solid fraction in the region. Random placement reaches at most 0.38 for equal spheres and 0.54 for
            equal discs, and slows down near these limits.
        spin : object, optional
            Initial angular velocity of all of them.
        velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Initial velocity of all of them.
        """
        self._add({
            "from": "random",
            "material": material,
            "region": region,
            "shape": shape,
            "attempts": attempts,
            "count": count,
            "mass": mass,
            "orientation": orientation,
            "seed": seed,
            "share_by": share_by,
            "shares": shares,
            "size": size,
            "solid_fraction": solid_fraction,
            "spin": spin,
            "velocity": velocity,
        })

    def csv(
        self,
        *,
        file: str,
        material: str | None = None,
        seed: int | None = None,
        shape: str | Sequence[str] | None = None,
        units: Literal["m", "cm", "mm", "um", "in"] | None = None,
    ) -> None:
        """Add a table ``[[grains]]`` with ``from = "csv"``.

        Grains from a table in a file: columns `id, x, y, z` (in 2D `id, x, y`) with a header row; optional:
        `qw, qx, qy, qz` or `angle` (radians), `vx, vy, vz` or `vx, vy`, `wx, wy, wz` or `spin`, `shape`,
        `scale` (a factor on the lengths of that shape), `material`. The `final.csv` of a run is such a file;
        contacts begin anew (`from = "run"` keeps them).

        Parameters
        ----------
        file : str
            The file, relative to the scene.
        material : str, optional
            Name of their material if the file has none. A name in the file must be this one.
        seed : int, optional
            Seed of the random numbers. Default: 1.
        shape : str or sequence of str, optional
            Name of their shape if the file has none, or a list of names from which one is drawn at random for
            each grain. A name in the file must be one of these, if there are any.
        units : {"m", "cm", "mm", "um", "in"}, optional
            Unit of lengths in the file: positions, and velocities per second. Default: "m".
        """
        self._add({
            "from": "csv",
            "file": file,
            "material": material,
            "seed": seed,
            "shape": shape,
            "units": units,
        })

    def dump(
        self,
        *,
        file: str,
        material: str,
        shape: str | Sequence[str],
        step: int | None = None,
    ) -> None:
        """Add a table ``[[grains]]`` with ``from = "dump"``.

        Grains from a text dump of LAMMPS or LIGGGHTS (`dump custom`), in SI units: columns `id` and `x y z`
        (or `xu`, `xs`), and where there are, `type`, `quat1` to `quat4` or `c_q[1]` and so on, `vx vy vz`,
        `omegax omegay omegaz`.

        Parameters
        ----------
        file : str
            The file, relative to the scene.
        material : str
            Name of their material.
        shape : str or sequence of str
            Names of the shapes of types 1, 2 and so on; one name stands for all types.
        step : int, optional
            The time step to read; default: the last one.
        """
        self._add({
            "from": "dump",
            "file": file,
            "material": material,
            "shape": shape,
            "step": step,
        })

    def run(
        self,
        *,
        folder: str,
        boundaries: Literal["scene", "run"] | None = None,
    ) -> None:
        """Add a table ``[[grains]]`` with ``from = "run"``.

        Grains of another run as they were at its end, or at its last checkpoint: ids, shapes, materials,
        positions, velocities, and contacts with their history, so that friction holds what it held. Shapes
        and materials are found by their names: shapes must be the same as there, materials may have other
        parameters. Contacts with walls go on where a wall has the same name, shape and place. Where nothing
        but events, motions and times differs, the run goes on with the bits that the other would have had. At
        most one group; more grains may be added by others after it.

        Parameters
        ----------
        folder : str
            Folder of the run, relative to the scene. It needs a checkpoint (`output.checkpoint`).
        boundaries : {"scene", "run"}, optional
            Where walls and periodic sides are at the start. Default: "scene".
        """
        self._add({
            "from": "run",
            "folder": folder,
            "boundaries": boundaries,
        })


class Inlets(Named):
    """Inlets that insert grains during the run, by name."""

    def add(
        self,
        name: str,
        *,
        material: str,
        region: Mapping[str, Any],
        shape: str | Sequence[str],
        attempts: int | None = None,
        count: int | None = None,
        end: Quantity | None = None,
        every: Quantity | None = None,
        mass: Quantity | None = None,
        mass_rate: Quantity | None = None,
        number_rate: Quantity | None = None,
        orientation: Literal["random"] | Sequence[Quantity] | Array | Quantity | None = None,
        seed: int | None = None,
        share_by: Literal["number", "mass"] | None = None,
        shares: Sequence[Quantity] | Array | None = None,
        size: Mapping[str, Any] | None = None,
        spin: Quantity | Sequence[Quantity] | Array | None = None,
        start: Quantity | None = None,
        velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[inlets.NAME]``.

        Insertion of grains at a rate: give `number_rate` or `mass_rate`. A grain that cannot be placed waits
        for the next attempt, and the summary states how many still wait.

        Parameters
        ----------
        name : str
            Its name.
        material : str
            Name of their material.
        region : mapping
            The region in which they are inserted, entirely inside and without contact.
        shape : str or sequence of str
            Name of their shape, or a list of names from which one is drawn at random for each grain.
        attempts : int, optional
            Places that are tried for a grain at each look. Default: 500.
        count : int, optional
            Largest total number.
        end : time, zero or more (s), optional
            End time; default: the end of the run.
        every : time, positive (s), optional
            How often it is looked whether grains are due; default: 50 steps.
        mass : mass, positive (kg), optional
            Largest total mass.
        mass_rate : mass per time, positive (kg/s), optional
            Mass per time.
        number_rate : frequency, positive (Hz), optional
            Number of grains per time.
        orientation : {"random"} or sequence of number, finite or angle, finite (rad), optional
            Their orientation. Default: "random".
        seed : int, optional
            Seed of the random numbers. Default: 1.
        share_by : {"number", "mass"}, optional
            Whether shares are of number or mass. Default: "number".
        shares : sequence of number, zero or more, optional
            Shares of the shapes, in their order; default: equal.
        size : mapping, optional
            Their size distribution; default: the size of their shapes.
        spin : object, optional
            Initial angular velocity of all of them.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Initial velocity of all of them.
        """
        self._add(name, {
            "material": material,
            "region": region,
            "shape": shape,
            "attempts": attempts,
            "count": count,
            "end": end,
            "every": every,
            "mass": mass,
            "mass_rate": mass_rate,
            "number_rate": number_rate,
            "orientation": orientation,
            "seed": seed,
            "share_by": share_by,
            "shares": shares,
            "size": size,
            "spin": spin,
            "start": start,
            "velocity": velocity,
        })


class Materials(Named):
    """Materials, by name."""

    def add(
        self,
        name: str,
        *,
        adhesion: Quantity | None = None,
        cohesion: Quantity | None = None,
        damping_ratio: Quantity | None = None,
        density: Quantity | None = None,
        friction: Quantity | None = None,
        friction_angle: Quantity | None = None,
        kn: Quantity | None = None,
        ks: Quantity | None = None,
        poisson: Quantity | None = None,
        restitution: Quantity | None = None,
        rolling: Quantity | None = None,
        twisting: Quantity | None = None,
        young: Quantity | None = None,
    ) -> None:
        """Add a table ``[materials.NAME]``.

        A material of grains and walls. Contact parameters of two materials follow from both; `[[pairs]]`
        overrides them.

        Parameters
        ----------
        name : str
            Its name.
        adhesion : energy per area, zero or more (J/m^2), optional
            Work of adhesion per area after Johnson, Kendall and Roberts, instead of `cohesion`; for the law
            `hertz-mindlin`.
        cohesion : stress, zero or more (Pa), optional
            Cohesive energy density: attraction proportional to the contact area (SJKR).
        damping_ratio : number, in [0, 10], optional
            Damping ratio (fraction of critical damping), instead of `restitution`; default: no damping.
        density : density, positive (kg/m^3), optional
            Mass per volume, in 2D per area. Walls need none.
        friction : number, zero or more, optional
            Coefficient of friction; default: 0, unless `friction_angle` is given.
        friction_angle : angle, in [0, 90 deg) (rad), optional
            Friction angle, instead of `friction`.
        kn : stiffness, positive (N/m), optional
            Normal stiffness, for the law `linear`.
        ks : stiffness, positive (N/m), optional
            Tangential stiffness, for the law `linear`; default: 2/7 of `kn`.
        poisson : number, in [0, 0.5], optional
            Poisson's ratio, for the law `hertz-mindlin`.
        restitution : number, in [0.01, 1], optional
            Coefficient of restitution: speed after a central impact over speed before it.
        rolling : number, zero or more, optional
            Coefficient of rolling resistance; default: 0.
        twisting : number, zero or more, optional
            Coefficient of twisting resistance; default: 0.
        young : modulus, positive (Pa), optional
            Young's modulus, for the law `hertz-mindlin`.
        """
        self._add(name, {
            "adhesion": adhesion,
            "cohesion": cohesion,
            "damping_ratio": damping_ratio,
            "density": density,
            "friction": friction,
            "friction_angle": friction_angle,
            "kn": kn,
            "ks": ks,
            "poisson": poisson,
            "restitution": restitution,
            "rolling": rolling,
            "twisting": twisting,
            "young": young,
        })


class Outlets(Named):
    """Outlets that remove grains during the run, by name."""

    def add(
        self,
        name: str,
        *,
        region: Mapping[str, Any],
        end: Quantity | None = None,
        every: Quantity | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[outlets.NAME]``.

        Grains go out: those whose centre is in a region are taken out of the world and counted.

        Parameters
        ----------
        name : str
            Its name.
        region : mapping
            The region.
        end : time, zero or more (s), optional
            End time; default: the end of the run.
        every : time, positive (s), optional
            How often it is looked; default: 50 steps.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "region": region,
            "end": end,
            "every": every,
            "start": start,
        })


class Pairs(List):
    """Contact parameters of pairs of materials."""

    def add(
        self,
        *,
        adhesion: Quantity | None = None,
        cohesion: Quantity | None = None,
        damping_ratio: Quantity | None = None,
        friction: Quantity | None = None,
        friction_angle: Quantity | None = None,
        kn: Quantity | None = None,
        ks: Quantity | None = None,
        materials: Sequence[str] | None = None,
        restitution: Quantity | None = None,
        rolling: Quantity | None = None,
        twisting: Quantity | None = None,
    ) -> None:
        """Add a table ``[[pairs]]``.

        Contact parameters of a pair of materials, where they do not follow from each of them.

        Parameters
        ----------
        adhesion : energy per area, zero or more (J/m^2), optional
            Work of adhesion per area after Johnson, Kendall and Roberts, instead of `cohesion`.
        cohesion : stress, zero or more (Pa), optional
            Cohesive energy density: attraction proportional to the contact area (SJKR).
        damping_ratio : number, in [0, 10], optional
            Damping ratio (fraction of critical damping), instead of `restitution`.
        friction : number, zero or more, optional
            Coefficient of friction.
        friction_angle : angle, in [0, 90 deg) (rad), optional
            Friction angle, instead of `friction`.
        kn : stiffness, positive (N/m), optional
            Normal stiffness of the contact, for the law `linear`.
        ks : stiffness, positive (N/m), optional
            Tangential stiffness of the contact, for the law `linear`.
        materials : sequence of str, optional
            Names of the two materials, which may be the same.
        restitution : number, in [0.01, 1], optional
            Coefficient of restitution: speed after a central impact over speed before it.
        rolling : number, zero or more, optional
            Coefficient of rolling resistance.
        twisting : number, zero or more, optional
            Coefficient of twisting resistance.
        """
        self._add({
            "adhesion": adhesion,
            "cohesion": cohesion,
            "damping_ratio": damping_ratio,
            "friction": friction,
            "friction_angle": friction_angle,
            "kn": kn,
            "ks": ks,
            "materials": materials,
            "restitution": restitution,
            "rolling": rolling,
            "twisting": twisting,
        })


class Probes(Named):
    """Measurements during the run, by name."""

    def energies(
        self,
        name: str,
        *,
        every: Quantity | None = None,
        region: Mapping[str, Any] | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "energies"``.

        For the grains whose centre is in a region, or the contacts whose point is: `energies`, `coordination`
        with its distribution, `grain-stress` (a row for each grain: stress after Love and Weber over its own
        volume, number of its contacts, and its fabric, the mean of the dyads of their normals, contacts with
        walls included), `fabric` (the mean of the dyads of normals of contacts among grains), `contacts` (a
        row for each contact with its force, and the point where it acts: that of faces at the centre of
        pressure).

        Parameters
        ----------
        name : str
            Its name.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        region : mapping, optional
            The region; default: everywhere.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "energies",
            "every": every,
            "region": region,
            "start": start,
        })

    def coordination(
        self,
        name: str,
        *,
        every: Quantity | None = None,
        region: Mapping[str, Any] | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "coordination"``.

        For the grains whose centre is in a region, or the contacts whose point is: `energies`, `coordination`
        with its distribution, `grain-stress` (a row for each grain: stress after Love and Weber over its own
        volume, number of its contacts, and its fabric, the mean of the dyads of their normals, contacts with
        walls included), `fabric` (the mean of the dyads of normals of contacts among grains), `contacts` (a
        row for each contact with its force, and the point where it acts: that of faces at the centre of
        pressure).

        Parameters
        ----------
        name : str
            Its name.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        region : mapping, optional
            The region; default: everywhere.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "coordination",
            "every": every,
            "region": region,
            "start": start,
        })

    def solid_fraction(
        self,
        name: str,
        *,
        region: Mapping[str, Any],
        every: Quantity | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "solid-fraction"``.

        In a bounded region: `solid-fraction`, where grains count with the part of their volume that is
        inside; `stress`, after Love and Weber, of the grains whose centre is inside, positive in compression.

        Parameters
        ----------
        name : str
            Its name.
        region : mapping
            The region.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "solid-fraction",
            "region": region,
            "every": every,
            "start": start,
        })

    def stress(
        self,
        name: str,
        *,
        region: Mapping[str, Any],
        every: Quantity | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "stress"``.

        In a bounded region: `solid-fraction`, where grains count with the part of their volume that is
        inside; `stress`, after Love and Weber, of the grains whose centre is inside, positive in compression.

        Parameters
        ----------
        name : str
            Its name.
        region : mapping
            The region.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "stress",
            "region": region,
            "every": every,
            "start": start,
        })

    def grain_stress(
        self,
        name: str,
        *,
        every: Quantity | None = None,
        region: Mapping[str, Any] | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "grain-stress"``.

        For the grains whose centre is in a region, or the contacts whose point is: `energies`, `coordination`
        with its distribution, `grain-stress` (a row for each grain: stress after Love and Weber over its own
        volume, number of its contacts, and its fabric, the mean of the dyads of their normals, contacts with
        walls included), `fabric` (the mean of the dyads of normals of contacts among grains), `contacts` (a
        row for each contact with its force, and the point where it acts: that of faces at the centre of
        pressure).

        Parameters
        ----------
        name : str
            Its name.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        region : mapping, optional
            The region; default: everywhere.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "grain-stress",
            "every": every,
            "region": region,
            "start": start,
        })

    def fabric(
        self,
        name: str,
        *,
        every: Quantity | None = None,
        region: Mapping[str, Any] | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "fabric"``.

        For the grains whose centre is in a region, or the contacts whose point is: `energies`, `coordination`
        with its distribution, `grain-stress` (a row for each grain: stress after Love and Weber over its own
        volume, number of its contacts, and its fabric, the mean of the dyads of their normals, contacts with
        walls included), `fabric` (the mean of the dyads of normals of contacts among grains), `contacts` (a
        row for each contact with its force, and the point where it acts: that of faces at the centre of
        pressure).

        Parameters
        ----------
        name : str
            Its name.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        region : mapping, optional
            The region; default: everywhere.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "fabric",
            "every": every,
            "region": region,
            "start": start,
        })

    def flow(
        self,
        name: str,
        *,
        normal: Sequence[Quantity] | Array,
        point: Sequence[Quantity] | Array,
        every: Quantity | None = None,
        region: Mapping[str, Any] | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "flow"``.

        `flow`: number and mass of grains whose centre has crossed a plane (in 2D: a line) since the start,
        along its normal less against it, and the mean rates since the previous row. Crossings are detected
        every ten steps. In a periodic cell it is the part of the plane around its point, as wide as the cell.

        Parameters
        ----------
        name : str
            Its name.
        normal : sequence of number, finite
            Direction that counts as positive; of any length.
        point : sequence of length, finite (m)
            A point on it.
        every : time, positive (s), optional
            Interval of the rows; default: `output.every`.
        region : mapping, optional
            Only crossings inside this region count, which may start or end at the plane; default: everywhere.
        start : time, zero or more (s), optional
            Start time of the rows; grains are counted from the beginning. Default: 0.0.
        """
        self._add(name, {
            "kind": "flow",
            "normal": normal,
            "point": point,
            "every": every,
            "region": region,
            "start": start,
        })

    def wall_forces(
        self,
        name: str,
        *,
        every: Quantity | None = None,
        start: Quantity | None = None,
        walls: Sequence[str] | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "wall-forces"``.

        `wall-forces`: force of the grains on each wall, and torque about the origin of its shape.

        Parameters
        ----------
        name : str
            Its name.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        walls : sequence of str, optional
            Names of walls: `box` with all its sides, or `box.z-low` alone; default: all walls.
        """
        self._add(name, {
            "kind": "wall-forces",
            "every": every,
            "start": start,
            "walls": walls,
        })

    def contacts(
        self,
        name: str,
        *,
        every: Quantity | None = None,
        region: Mapping[str, Any] | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "contacts"``.

        For the grains whose centre is in a region, or the contacts whose point is: `energies`, `coordination`
        with its distribution, `grain-stress` (a row for each grain: stress after Love and Weber over its own
        volume, number of its contacts, and its fabric, the mean of the dyads of their normals, contacts with
        walls included), `fabric` (the mean of the dyads of normals of contacts among grains), `contacts` (a
        row for each contact with its force, and the point where it acts: that of faces at the centre of
        pressure).

        Parameters
        ----------
        name : str
            Its name.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        region : mapping, optional
            The region; default: everywhere.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "contacts",
            "every": every,
            "region": region,
            "start": start,
        })

    def profile(
        self,
        name: str,
        *,
        origin: Sequence[Quantity] | Array,
        to: Quantity,
        along: Sequence[Quantity] | Array | None = None,
        bins: int | None = None,
        every: Quantity | None = None,
        from_: Quantity | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "profile"``.

        `profile`: height of the highest point of the grains in bins along a direction, or over the distance
        from a vertical axis; negative below the origin, `NaN` for bins without grains. `repose`: the angle of
        the slope that falls from the highest bin, by a straight line through the bins between a fifth and
        four fifths of the largest height and above one and a half layers of grains; where there is none, the
        summary says why. Up is against gravity.

        Parameters
        ----------
        name : str
            Its name.
        origin : sequence of length, finite (m)
            Origin of the bins and of heights.
        to : length, finite (m)
            End of the last bin, from the origin.
        along : sequence of number, finite, optional
            Direction of the bins, not along gravity; default: radial, the distance from the vertical axis
            through the origin.
        bins : int, optional
            Number of bins, 100000 at most. Default: 50.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        from_ : length, finite (m), optional
            Start of the first bin, from the origin; not negative for radial bins. Default: 0.0.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "profile",
            "origin": origin,
            "to": to,
            "along": along,
            "bins": bins,
            "every": every,
            "from": from_,
            "start": start,
        })

    def repose(
        self,
        name: str,
        *,
        origin: Sequence[Quantity] | Array,
        to: Quantity,
        along: Sequence[Quantity] | Array | None = None,
        bins: int | None = None,
        every: Quantity | None = None,
        from_: Quantity | None = None,
        start: Quantity | None = None,
    ) -> None:
        """Add a table ``[probes.NAME]`` with ``kind = "repose"``.

        `profile`: height of the highest point of the grains in bins along a direction, or over the distance
        from a vertical axis; negative below the origin, `NaN` for bins without grains. `repose`: the angle of
        the slope that falls from the highest bin, by a straight line through the bins between a fifth and
        four fifths of the largest height and above one and a half layers of grains; where there is none, the
        summary says why. Up is against gravity.

        Parameters
        ----------
        name : str
            Its name.
        origin : sequence of length, finite (m)
            Origin of the bins and of heights.
        to : length, finite (m)
            End of the last bin, from the origin.
        along : sequence of number, finite, optional
            Direction of the bins, not along gravity; default: radial, the distance from the vertical axis
            through the origin.
        bins : int, optional
            Number of bins, 100000 at most. Default: 50.
        every : time, positive (s), optional
            Interval; default: `output.every`.
        from_ : length, finite (m), optional
            Start of the first bin, from the origin; not negative for radial bins. Default: 0.0.
        start : time, zero or more (s), optional
            Start time. Default: 0.0.
        """
        self._add(name, {
            "kind": "repose",
            "origin": origin,
            "to": to,
            "along": along,
            "bins": bins,
            "every": every,
            "from": from_,
            "start": start,
        })


class Shapes(Named):
    """Shapes, by name."""

    def sphere(
        self,
        name: str,
        *,
        radius: Quantity,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "sphere"``.

        A sphere.

        Parameters
        ----------
        name : str
            Its name.
        radius : length, positive (m)
            Radius.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "sphere",
            "radius": radius,
            "scale": scale,
        })

    def ellipsoid(
        self,
        name: str,
        *,
        radii: Sequence[Quantity] | Array,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "ellipsoid"``.

        An ellipsoid.

        Parameters
        ----------
        name : str
            Its name.
        radii : sequence of length, positive (m)
            Semi-axes.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "ellipsoid",
            "radii": radii,
            "scale": scale,
        })

    def superellipsoid(
        self,
        name: str,
        *,
        radii: Sequence[Quantity] | Array,
        blockiness: Sequence[Quantity] | Array | None = None,
        exponents: Sequence[Quantity] | Array | None = None,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "superellipsoid"``.

        A superellipsoid after Barr, from needles to boxes to octahedra: give `exponents` or `blockiness`.

        Parameters
        ----------
        name : str
            Its name.
        radii : sequence of length, positive (m)
            Semi-axes.
        blockiness : sequence of number, finite, optional
            The exponents as LIGGGHTS has them, n1 = 2/ε2 and n2 = 2/ε1, more than 1: 2 is an ellipsoid, large
            a box.
        exponents : sequence of number, finite, optional
            The exponents ε1 (x-y section) and ε2 (along z), in (0, 2): 1 is an ellipsoid, towards 0 a box.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "superellipsoid",
            "radii": radii,
            "blockiness": blockiness,
            "exponents": exponents,
            "scale": scale,
        })

    def superquadric(
        self,
        name: str,
        *,
        blockiness: Sequence[Quantity] | Array,
        semi_axes: Sequence[Quantity] | Array,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "superquadric"``.

        A superquadric |x/a|^n1 + |y/b|^n2 + |z/c|^n3 = 1.

        Parameters
        ----------
        name : str
            Its name.
        blockiness : sequence of number, finite
            The exponents n1, n2, n3, more than 1.
        semi_axes : sequence of length, positive (m)
            Semi-axes a, b, c.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "superquadric",
            "blockiness": blockiness,
            "semi_axes": semi_axes,
            "scale": scale,
        })

    def polyhedron(
        self,
        name: str,
        *,
        scale: Quantity | None = None,
        vertices: Sequence[Sequence[Quantity] | Array] | Array | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "polyhedron"``.

        A convex polyhedron: the convex hull of points.

        Parameters
        ----------
        name : str
            Its name.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        vertices : sequence of sequence of length, finite (m), optional
            The points; the centre of mass of their convex hull becomes the grain's position.
        """
        self._add(name, {
            "shape": "polyhedron",
            "scale": scale,
            "vertices": vertices,
        })

    def cylinder(
        self,
        name: str,
        *,
        half_height: Quantity,
        radius: Quantity,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "cylinder"``.

        A cylinder about z.

        Parameters
        ----------
        name : str
            Its name.
        half_height : length, positive (m)
            Half the height.
        radius : length, positive (m)
            Radius.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "cylinder",
            "half_height": half_height,
            "radius": radius,
            "scale": scale,
        })

    def capsule(
        self,
        name: str,
        *,
        half_height: Quantity,
        radius: Quantity,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "capsule"``.

        A capsule about z: a cylinder with hemispherical ends.

        Parameters
        ----------
        name : str
            Its name.
        half_height : length, positive (m)
            Half the height of the cylinder.
        radius : length, positive (m)
            Radius.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "capsule",
            "half_height": half_height,
            "radius": radius,
            "scale": scale,
        })

    def triangle(
        self,
        name: str,
        *,
        scale: Quantity | None = None,
        vertices: Sequence[Sequence[Quantity] | Array] | Array | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "triangle"``.

        A triangle without thickness, for walls.

        Parameters
        ----------
        name : str
            Its name.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        vertices : sequence of sequence of length, finite (m), optional
            Its corners.
        """
        self._add(name, {
            "shape": "triangle",
            "scale": scale,
            "vertices": vertices,
        })

    def half_space(
        self,
        name: str,
        *,
        normal: Sequence[Quantity] | Array,
        offset: Quantity,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "half-space"``.

        All points x with normal·x ≤ offset, for walls.

        Parameters
        ----------
        name : str
            Its name.
        normal : sequence of number, finite
            Outward normal.
        offset : length, finite (m)
            Distance of its surface from the origin along the normal.
        """
        self._add(name, {
            "shape": "half-space",
            "normal": normal,
            "offset": offset,
        })

    def circle(
        self,
        name: str,
        *,
        radius: Quantity,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "circle"``.

        A circle.

        Parameters
        ----------
        name : str
            Its name.
        radius : length, positive (m)
            Radius.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "circle",
            "radius": radius,
            "scale": scale,
        })

    def ellipse(
        self,
        name: str,
        *,
        semi_axes: Sequence[Quantity] | Array,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "ellipse"``.

        An ellipse.

        Parameters
        ----------
        name : str
            Its name.
        semi_axes : sequence of length, positive (m)
            Semi-axes.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "ellipse",
            "semi_axes": semi_axes,
            "scale": scale,
        })

    def conic(
        self,
        name: str,
        *,
        coefficients: Sequence[Quantity] | Array,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "conic"``.

        An ellipse given as a conic section A x² + B x y + C y² + D x + E y + F = 0.

        Parameters
        ----------
        name : str
            Its name.
        coefficients : sequence of number, finite
            The coefficients A to F, coordinates in metres.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "conic",
            "coefficients": coefficients,
            "scale": scale,
        })

    def superellipse(
        self,
        name: str,
        *,
        blockiness: Quantity,
        semi_axes: Sequence[Quantity] | Array,
        scale: Quantity | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "superellipse"``.

        A superellipse |x/a|^n + |y/b|^n = 1.

        Parameters
        ----------
        name : str
            Its name.
        blockiness : number, finite
            The exponent n, more than 1.
        semi_axes : sequence of length, positive (m)
            Semi-axes a, b.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        """
        self._add(name, {
            "shape": "superellipse",
            "blockiness": blockiness,
            "semi_axes": semi_axes,
            "scale": scale,
        })

    def polygon(
        self,
        name: str,
        *,
        scale: Quantity | None = None,
        vertices: Sequence[Sequence[Quantity] | Array] | Array | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "polygon"``.

        A convex polygon: the convex hull of points.

        Parameters
        ----------
        name : str
            Its name.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        vertices : sequence of sequence of length, finite (m), optional
            The points; the centre of mass of their convex hull becomes the grain's position.
        """
        self._add(name, {
            "shape": "polygon",
            "scale": scale,
            "vertices": vertices,
        })

    def segment(
        self,
        name: str,
        *,
        scale: Quantity | None = None,
        vertices: Sequence[Sequence[Quantity] | Array] | Array | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "segment"``.

        A segment without thickness, for walls.

        Parameters
        ----------
        name : str
            Its name.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        vertices : sequence of sequence of length, finite (m), optional
            Its ends.
        """
        self._add(name, {
            "shape": "segment",
            "scale": scale,
            "vertices": vertices,
        })

    def half_plane(
        self,
        name: str,
        *,
        normal: Sequence[Quantity] | Array,
        offset: Quantity,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "half-plane"``.

        All points x with normal·x ≤ offset, for walls.

        Parameters
        ----------
        name : str
            Its name.
        normal : sequence of number, finite
            Outward normal.
        offset : length, finite (m)
            Distance of its edge from the origin along the normal.
        """
        self._add(name, {
            "shape": "half-plane",
            "normal": normal,
            "offset": offset,
        })

    def compound(
        self,
        name: str,
        *,
        parts: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "compound"``.

        Several shapes that form one rigid grain: concave grains, clumps of spheres. Overlapping volume is
        counted once; the centre of mass is the grain's position.

        Parameters
        ----------
        name : str
            Its name.
        parts : sequence of mapping, optional
            The parts.
        """
        self._add(name, {
            "shape": "compound",
            "parts": parts,
        })

    def mesh(
        self,
        name: str,
        *,
        file: str,
        approximation: Literal["hull", "parts", "superellipsoid"] | None = None,
        parts: int | None = None,
        scale: Quantity | None = None,
        size: Quantity | None = None,
        units: Literal["m", "cm", "mm", "um", "in"] | None = None,
        vertices: int | None = None,
    ) -> None:
        """Add a table ``[shapes.NAME]`` with ``shape = "mesh"``.

        A grain from a closed surface of triangles in a file, in 3D, such as the scan of a rock: STL, OBJ or
        PLY. It is turned into a convex hull, convex parts or a superellipsoid of the same volume; `check`
        prints how far that is from the surface.

        Parameters
        ----------
        name : str
            Its name.
        file : str
            The file, relative to the scene; its name ends in `.stl`, `.obj` or `.ply`.
        approximation : {"hull", "parts", "superellipsoid"}, optional
            What it is turned into. Default: "hull".
        parts : int, optional
            The most parts. Default: 8.
        scale : number, positive, optional
            Factor on all lengths. Default: 1.0.
        size : length, positive (m), optional
            Diameter of the sphere of the same volume; default: as the file has it.
        units : {"m", "cm", "mm", "um", "in"}, optional
            Unit of its coordinates. Default: "m".
        vertices : int, optional
            The most vertices that the hull or each of the parts has; contacts cost more with more of them.
            Default: 40.
        """
        self._add(name, {
            "shape": "mesh",
            "file": file,
            "approximation": approximation,
            "parts": parts,
            "scale": scale,
            "size": size,
            "units": units,
            "vertices": vertices,
        })


class Tools(Named):
    """Walls that move together, by name."""

    def add(
        self,
        name: str,
        *,
        walls: str | Sequence[str],
        free: Mapping[str, Any] | None = None,
        moves: Sequence[Mapping[str, Any]] | None = None,
        origin: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[tools.NAME]``.

        Walls that move together, with force, torque and work reported as one. Give it `moves`, or make it
        `free`.

        Parameters
        ----------
        name : str
            Its name.
        walls : str or sequence of str
            Names of its walls: `box` with all its sides, or `box.x-high` alone.
        free : mapping, optional
            It moves freely under forces.
        moves : sequence of mapping, optional
            Its motions in world axes, each applied after those before it in the list: a rotation before a
            translation turns about a point that moves with the translation.
        origin : sequence of length, finite (m), optional
            Reference point of torques, and centre of mass of a free tool; default: zeros.
        """
        self._add(name, {
            "walls": walls,
            "free": free,
            "moves": moves,
            "origin": origin,
        })


class Walls(Named):
    """Walls, by name."""

    def plane(
        self,
        name: str,
        *,
        material: str,
        normal: Sequence[Quantity] | Array,
        point: Sequence[Quantity] | Array,
        surface_spin: Quantity | Sequence[Quantity] | Array | None = None,
        surface_velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[walls.NAME]`` with ``kind = "plane"``.

        An unbounded plane (in 2D: a line), solid behind it.

        Parameters
        ----------
        name : str
            Its name.
        material : str
            Name of its material.
        normal : sequence of number, finite
            Normal, towards the grains; of any length.
        point : sequence of length, finite (m)
            A point on it.
        surface_spin : object, optional
            The same as an angular velocity, about `point`: a turntable, a roller.
        surface_velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Velocity of its material along the surface, which friction sees while the wall stays where it is:
            a conveyor. What of it is not along the surface does not count.
        """
        self._add(name, {
            "kind": "plane",
            "material": material,
            "normal": normal,
            "point": point,
            "surface_spin": surface_spin,
            "surface_velocity": surface_velocity,
        })

    def line(
        self,
        name: str,
        *,
        material: str,
        normal: Sequence[Quantity] | Array,
        point: Sequence[Quantity] | Array,
        surface_spin: Quantity | Sequence[Quantity] | Array | None = None,
        surface_velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[walls.NAME]`` with ``kind = "line"``.

        An unbounded plane (in 2D: a line), solid behind it.

        Parameters
        ----------
        name : str
            Its name.
        material : str
            Name of its material.
        normal : sequence of number, finite
            Normal, towards the grains; of any length.
        point : sequence of length, finite (m)
            A point on it.
        surface_spin : object, optional
            The same as an angular velocity, about `point`: a turntable, a roller.
        surface_velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Velocity of its material along the surface, which friction sees while the wall stays where it is:
            a conveyor. What of it is not along the surface does not count.
        """
        self._add(name, {
            "kind": "line",
            "material": material,
            "normal": normal,
            "point": point,
            "surface_spin": surface_spin,
            "surface_velocity": surface_velocity,
        })

    def box(
        self,
        name: str,
        *,
        high: Sequence[Quantity] | Array,
        low: Sequence[Quantity] | Array,
        material: str,
        open: Sequence[Literal["x-low", "x-high", "y-low", "y-high", "z-low", "z-high"]] | None = None,
    ) -> None:
        """Add a table ``[walls.NAME]`` with ``kind = "box"``.

        The inside of an axis-aligned box, each side an unbounded wall.

        Parameters
        ----------
        name : str
            Its name.
        high : sequence of length, finite (m)
            Upper corner.
        low : sequence of length, finite (m)
            Lower corner.
        material : str
            Name of their material.
        open : sequence of {"x-low", "x-high", "y-low", "y-high", "z-low", "z-high"}, optional
            Open sides.
        """
        self._add(name, {
            "kind": "box",
            "high": high,
            "low": low,
            "material": material,
            "open": open,
        })

    def shape(
        self,
        name: str,
        *,
        material: str,
        shape: str,
        orientation: Literal["random"] | Sequence[Quantity] | Array | Quantity | None = None,
        position: Sequence[Quantity] | Array | None = None,
        surface_spin: Quantity | Sequence[Quantity] | Array | None = None,
        surface_velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[walls.NAME]`` with ``kind = "shape"``.

        A fixed body of any shape.

        Parameters
        ----------
        name : str
            Its name.
        material : str
            Name of its material.
        shape : str
            Name of its shape.
        orientation : {"random"} or sequence of number, finite or angle, finite (rad), optional
            Its orientation.
        position : sequence of length, finite (m), optional
            Position of its centre of mass, or of the origin for shapes without one.
        surface_spin : object, optional
            The same as an angular velocity, about its position: a turntable, a roller.
        surface_velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Velocity of its material along the surface, which friction sees while the wall stays where it is:
            a conveyor. What of it is not along the surface does not count.
        """
        self._add(name, {
            "kind": "shape",
            "material": material,
            "shape": shape,
            "orientation": orientation,
            "position": position,
            "surface_spin": surface_spin,
            "surface_velocity": surface_velocity,
        })

    def mesh(
        self,
        name: str,
        *,
        file: str,
        material: str,
        grains: Literal["outside", "inside", "both"] | None = None,
        orientation: Literal["random"] | Sequence[Quantity] | Array | Quantity | None = None,
        position: Sequence[Quantity] | Array | None = None,
        scale: Quantity | None = None,
        surface_spin: Quantity | Sequence[Quantity] | Array | None = None,
        surface_velocity: Sequence[Quantity] | Array | None = None,
        units: Literal["m", "cm", "mm", "um", "in"] | None = None,
    ) -> None:
        """Add a table ``[walls.NAME]`` with ``kind = "mesh"``.

        A surface of triangles from a file, in 3D: STL, OBJ or PLY. Coplanar triangles act as one facet, and a
        contact at an edge or vertex counts once. Vertices closer than a millionth of the extent are merged,
        and degenerate triangles are dropped; `check` prints how many.

        Parameters
        ----------
        name : str
            Its name.
        file : str
            The file, relative to the scene; its name ends in `.stl`, `.obj` or `.ply`.
        material : str
            Name of its material.
        grains : {"outside", "inside", "both"}, optional
            The side of the surface on which grains are. Default: "outside".
        orientation : {"random"} or sequence of number, finite or angle, finite (rad), optional
            Its orientation.
        position : sequence of length, finite (m), optional
            Position of the file's origin; default: the scene's origin.
        scale : number, positive, optional
            Factor on its coordinates, in addition to the unit. Default: 1.0.
        surface_spin : object, optional
            The same as an angular velocity, about its position: a turntable, a roller.
        surface_velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Velocity of its material along the surface, which friction sees while the wall stays where it is:
            a conveyor. What of it is not along the surface does not count.
        units : {"m", "cm", "mm", "um", "in"}, optional
            Unit of its coordinates; CAD programs mostly write millimetres. Default: "m".
        """
        self._add(name, {
            "kind": "mesh",
            "file": file,
            "material": material,
            "grains": grains,
            "orientation": orientation,
            "position": position,
            "scale": scale,
            "surface_spin": surface_spin,
            "surface_velocity": surface_velocity,
            "units": units,
        })

    def revolved(
        self,
        name: str,
        *,
        material: str,
        facets: int | None = None,
        grains: Literal["outside", "inside", "both"] | None = None,
        orientation: Literal["random"] | Sequence[Quantity] | Array | Quantity | None = None,
        position: Sequence[Quantity] | Array | None = None,
        profile: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        surface_spin: Quantity | Sequence[Quantity] | Array | None = None,
        surface_velocity: Sequence[Quantity] | Array | None = None,
    ) -> None:
        """Add a table ``[walls.NAME]`` with ``kind = "revolved"``.

        A surface of revolution about z, in 3D: cylinders, cones, hoppers, drums. A profile is revolved about
        the axis in flat facets, whose middle is closer to the axis by radius · (1 − cos(π / facets)).

        Parameters
        ----------
        name : str
            Its name.
        material : str
            Name of its material.
        facets : int, optional
            Number of facets around the axis. Default: 64.
        grains : {"outside", "inside", "both"}, optional
            The side of the surface on which grains are; a profile with open ends is a sheet with grains on
            both. Default: "both".
        orientation : {"random"} or sequence of number, finite or angle, finite (rad), optional
            Its orientation.
        position : sequence of length, finite (m), optional
            Position of its origin; default: the scene's origin.
        profile : sequence of sequence of length, finite (m), optional
            The profile: points [radius, height], upwards if the outside is away from the axis. The surface is
            closed if both ends have radius 0.
        surface_spin : object, optional
            The same as an angular velocity, about its position: a turntable, a roller.
        surface_velocity : sequence of velocity, from -1e9 to 1e9 (m/s), optional
            Velocity of its material along the surface, which friction sees while the wall stays where it is:
            a conveyor. What of it is not along the surface does not count.
        """
        self._add(name, {
            "kind": "revolved",
            "material": material,
            "facets": facets,
            "grains": grains,
            "orientation": orientation,
            "position": position,
            "profile": profile,
            "surface_spin": surface_spin,
            "surface_velocity": surface_velocity,
        })


class SceneBuilder(Builder):
    """A scene that is put together table by table, with the keys of scene files.

    It is a mapping, the same that a dict would be, and goes wherever a dict with a scene does: into
    `Scene`, `Simulation`, `sweep` and `calibrate`. Keys that are not given have their defaults.

    Parameters
    ----------
    dimension : {2, 3}
        Number of dimensions.
    gravity : sequence of acceleration, finite (m/s^2)
        Acceleration of gravity; zeros for none.
    title : str, optional
        Title of the scene.

    Examples
    --------
    >>> scene = gritstone.SceneBuilder(dimension=3, gravity=[0, 0, -9.81])
    >>> scene.time(end="1 ms")
    >>> scene.materials.add("glass", density=2500, young="10 MPa", poisson=0.25, friction=0.3)
    >>> scene.shapes.sphere("bead", radius="5 mm")
    >>> scene.grains.points(shape="bead", material="glass", at=[[0, 0, 0.01]])
    >>> scene.walls.plane("floor", point=[0, 0, 0], normal=[0, 0, 1], material="glass")
    >>> gritstone.Simulation(scene).status.grains
    1
    """

    def __init__(
        self, *, dimension: Literal[2, 3], gravity: Sequence[Quantity] | Array, title: str | None = None
    ) -> None:
        super().__init__({"title": title, "dimension": dimension, "gravity": gravity})
        self.events: Events = Events(self._tables, "events")
        self.grains: Grains = Grains(self._tables, "grains")
        self.inlets: Inlets = Inlets(self._tables, "inlets")
        self.materials: Materials = Materials(self._tables, "materials")
        self.outlets: Outlets = Outlets(self._tables, "outlets")
        self.pairs: Pairs = Pairs(self._tables, "pairs")
        self.probes: Probes = Probes(self._tables, "probes")
        self.shapes: Shapes = Shapes(self._tables, "shapes")
        self.tools: Tools = Tools(self._tables, "tools")
        self.walls: Walls = Walls(self._tables, "walls")

    def cell(
        self,
        *,
        high: Sequence[Quantity] | Array,
        low: Sequence[Quantity] | Array,
        motion: Mapping[str, Any] | None = None,
        repeat: Sequence[Literal["x", "y", "z"]] | None = None,
    ) -> None:
        """Set the table ``[cell]``.

        A periodic cell: grains that leave through one side enter through the opposite one. Walls are not
        periodic: planes must not be normal to a periodic axis, and other walls and tools should end farther
        from the sides than the radius of the largest grain, or extend beyond both sides.

        Parameters
        ----------
        high : sequence of length, finite (m)
            Upper corner.
        low : sequence of length, finite (m)
            Lower corner.
        motion : mapping, optional
            Deformation of the cell from the start.
        repeat : sequence of {"x", "y", "z"}, optional
            Periodic axes; default: all.
        """
        self._set("cell", {
            "high": high,
            "low": low,
            "motion": motion,
            "repeat": repeat,
        })

    def contact(
        self,
        *,
        crown: Quantity | None = None,
        damping: Literal["exact", "published"] | None = None,
        flat: Literal["patch", "strict-patch", "point"] | None = None,
        law: Literal["linear", "hertz-mindlin"] | None = None,
        method: str | None = None,
        radius: Literal["body-function", "curvature", "volume-equivalent"] | None = None,
    ) -> None:
        """Set the table ``[contact]``.

        How grains push each other, for all pairs of materials.

        Parameters
        ----------
        crown : number, in [0, 0.05], optional
            Height of the slight crown, relative to the extent, that capsules, cylinders and very flat
            superellipsoids have in contacts, so that they rest and roll as smooth bodies: at least a
            fifteenth of the overlap over the radius. Zero for the exact shapes, whose contacts jump along
            lines. Default: 0.003.
        damping : {"exact", "published"}, optional
            How damping is found from the restitution. Default: "exact".
        flat : {"patch", "strict-patch", "point"}, optional
            What is done where faces meet. Default: "patch".
        law : {"linear", "hertz-mindlin"}, optional
            How the force grows with the overlap. Default: "hertz-mindlin".
        method : str, optional
            Method that solves contacts, of those that `gritstone methods` lists; default: auto, which is
            certified. Another one is used as published: contacts that it cannot solve are counted as
            unresolved, and pairs of shapes that it is not made for are left to auto.
        radius : {"body-function", "curvature", "volume-equivalent"}, optional
            Which radius Hertz' law uses. Default: "body-function".
        """
        self._set("contact", {
            "crown": crown,
            "damping": damping,
            "flat": flat,
            "law": law,
            "method": method,
            "radius": radius,
        })

    def domain(
        self,
        *,
        high: Sequence[Quantity] | Array,
        low: Sequence[Quantity] | Array,
        leaving: Literal["error", "remove", "keep"] | None = None,
    ) -> None:
        """Set the table ``[domain]``.

        Bounds of the simulation, and what happens to grains that leave them.

        Parameters
        ----------
        high : sequence of length, finite or infinite (m)
            Upper corner; `inf` for no limit.
        low : sequence of length, finite or infinite (m)
            Lower corner; `-inf` for no limit.
        leaving : {"error", "remove", "keep"}, optional
            What happens to a grain whose centre leaves. This is tested when the wall neighbour list is
            rebuilt, so a grain may be outside by its displacement between two rebuilds, a fraction of its
            size. Default: "error".
        """
        self._set("domain", {
            "high": high,
            "low": low,
            "leaving": leaving,
        })

    def output(
        self,
        *,
        checkpoint: bool | Quantity | None = None,
        energies: bool | Quantity | None = None,
        every: Quantity | None = None,
        trajectory: bool | Quantity | None = None,
        vtk: bool | Quantity | None = None,
        walls: bool | Quantity | None = None,
    ) -> None:
        """Set the table ``[output]``.

        Output files and their intervals in simulated time. For each kind of file: true for the interval
        `every`, false for none, or its own interval.

        Parameters
        ----------
        checkpoint : bool or time, positive (s), optional
            Checkpoints from which the run can be resumed. Default: true.
        energies : bool or time, positive (s), optional
            Energies, one row of `energies.csv` each time. Default: true.
        every : time, positive (s), optional
            Output interval; default: a hundredth of the simulated time.
        trajectory : bool or time, positive (s), optional
            The compact trajectory for the viewer. Default: true.
        vtk : bool or time, positive (s), optional
            Frames for ParaView, by default none: they take some 50 times the space of the trajectory, from
            which `gritstone export --format vtk` makes them after the run. `true`: as often as `every`.
            Default: false.
        walls : bool or time, positive (s), optional
            Forces, torques and work of walls and tools, one row of `walls.csv` each time. Default: true.
        """
        self._set("output", {
            "checkpoint": checkpoint,
            "energies": energies,
            "every": every,
            "trajectory": trajectory,
            "vtk": vtk,
            "walls": walls,
        })

    def prepare(
        self,
        *,
        time: Quantity,
        relax: int | None = None,
        stiffness: Quantity | None = None,
    ) -> None:
        """Set the table ``[prepare]``.

        Brings the grains to rest before the run begins, at a fraction of the cost: they settle with softer
        contacts in larger steps, then the real stiffness is restored in stages. The run begins at time zero
        with the bed at rest. Walls stand still meanwhile; tools, inlets, outlets and events wait.

        Parameters
        ----------
        time : time, positive (s)
            Simulated time in which the grains come to rest with soft contacts.
        relax : int, optional
            Number of steps of each stage, in which the stiffness is doubled: as many as an elastic wave takes
            through the bed, some twenty for each layer of grains. The last stage has twice as many. Default:
            300.
        stiffness : number, in (0, 1], optional
            Stiffness of these contacts, as a fraction of the real one; the time step is longer by the root of
            its inverse. Default: 0.02.
        """
        self._set("prepare", {
            "time": time,
            "relax": relax,
            "stiffness": stiffness,
        })

    def stop(
        self,
        *,
        kinetic_energy: Quantity | None = None,
        not_before: Quantity | None = None,
        unbalanced_force: Quantity | None = None,
    ) -> None:
        """Set the table ``[stop]``.

        Conditions that end the run early: all that are given must hold.

        Parameters
        ----------
        kinetic_energy : energy, positive (J), optional
            The kinetic energy of all grains is below this.
        not_before : time, zero or more (s), optional
            Earliest time at which this is tested: a bed that has not started to fall is at rest, too.
            Default: 0.0.
        unbalanced_force : number, zero or more, optional
            The mean unbalanced force of the grains over the mean contact force is below this.
        """
        self._set("stop", {
            "kinetic_energy": kinetic_energy,
            "not_before": not_before,
            "unbalanced_force": unbalanced_force,
        })

    def time(
        self,
        *,
        end: Quantity | None = None,
        fraction: Quantity | None = None,
        step: Literal["auto"] | Quantity | None = None,
        steps: int | None = None,
    ) -> None:
        """Set the table ``[time]``.

        Duration and time step of the simulation. At least one of `end` and `steps` is needed.

        Parameters
        ----------
        end : time, positive (s), optional
            Simulated time at which the run ends.
        fraction : number, in (0, 1], optional
            That fraction: of the duration of a contact for the law `linear` (default: 0.02), of the Rayleigh
            time for the law `hertz-mindlin` (0.1), or of the duration of a contact between faces (0.02) if
            that is shorter.
        step : {"auto"} or time, positive (s), optional
            Time step, or "auto": a fraction of the shortest contact or Rayleigh time. Default: "auto".
        steps : int, optional
            Number of steps after which the run ends.
        """
        self._set("time", {
            "end": end,
            "fraction": fraction,
            "step": step,
            "steps": steps,
        })
