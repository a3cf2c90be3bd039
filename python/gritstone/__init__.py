"""Grains of real shape by the discrete element method, and certified contacts between them.

Everything is in SI units; quaternions are ``(w, x, y, z)``; a contact's normal points from a to b, and a
negative gap is an overlap.
"""

from __future__ import annotations

from typing import Any

from gritstone import _core
from gritstone._calibration import Calibration, calibrate
from gritstone._contacts import Contact, Contacts, Method, Verdict, contacts, distance, methods
from gritstone._core import (
    Capsule,
    Circle,
    Cylinder,
    Ellipse,
    Ellipsoid,
    HalfPlane,
    HalfSpace,
    Polygon,
    Polyhedron,
    RunError,
    SceneError,
    Segment,
    Shape,
    Sphere,
    Superellipse,
    Superellipsoid,
    Superquadric,
    Triangle,
    ViewError,
    __version__,
)
from gritstone._keys import SceneBuilder
from gritstone._picture import Page, Picture
from gritstone._readout import Status
from gritstone._run import Frame, Frames, Run
from gritstone._run import open_run as open
from gritstone._scene import Scene
from gritstone._simulation import Simulation
from gritstone._sweep import sweep
from gritstone._table import Table
from gritstone._view import Column, View

__all__ = [
    "Calibration",
    "Capsule",
    "Circle",
    "Column",
    "Contact",
    "Contacts",
    "Cylinder",
    "Ellipse",
    "Ellipsoid",
    "Frame",
    "Frames",
    "HalfPlane",
    "HalfSpace",
    "Method",
    "Page",
    "Picture",
    "Polygon",
    "Polyhedron",
    "Run",
    "RunError",
    "Scene",
    "SceneBuilder",
    "SceneError",
    "Segment",
    "Shape",
    "Simulation",
    "Sphere",
    "Status",
    "Superellipse",
    "Superellipsoid",
    "Superquadric",
    "Table",
    "Triangle",
    "Verdict",
    "View",
    "ViewError",
    "__version__",
    "calibrate",
    "contacts",
    "distance",
    "methods",
    "open",
    "sweep",
]


def _shape_of(name: str, parameters: dict[str, Any]) -> Shape:
    """Make a shape again that was pickled."""
    return getattr(_core, name)(**parameters)
