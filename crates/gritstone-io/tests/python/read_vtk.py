"""Reads the frames that `cargo run --example vtk_sample` writes with VTK itself, and compares them with what they must show.

Needs the packages `vtk` and `numpy`. Usage: read_vtk.py FOLDER
"""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy


def fail_on_vtk_errors():
    """VTK prints its errors and goes on; here they end the check."""

    def told(_object, _event, text):
        raise SystemExit(f"VTK says: {text}")

    told.CallDataType = vtk.VTK_STRING
    vtk.vtkObject.GlobalWarningDisplayOn()
    return told


def read(path, observer):
    reader = vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", observer)
    reader.AddObserver("WarningEvent", observer)
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def series(folder, kind, observer):
    """Times of a series, and its last frame."""
    sets = ElementTree.parse(folder / f"{kind}.pvd").getroot().findall("./Collection/DataSet")
    frames = [read(folder / s.get("file"), observer) for s in sets]
    times = [float(s.get("timestep")) for s in sets]
    for frame, time in zip(frames, times):
        assert vtk_to_numpy(frame.GetFieldData().GetArray("TimeValue"))[0] == time
    return times, frames[-1]


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def gauge(shape, points):
    """The factor by which a superellipsoid must be scaled to have these points on it."""
    r = np.array(shape.get("radii", [shape.get("radius", 0)] * 3), float)
    e1, e2 = shape.get("exponents", [1, 1])
    x, y, z = np.abs(points / r).T
    return ((x ** (2 / e1) + y ** (2 / e1)) ** (e1 / e2) + z ** (2 / e2)) ** (e2 / 2)


def select(surface, grain_id):
    """The cells of one grain."""
    threshold = vtk.vtkThreshold()
    threshold.SetInputData(surface)
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "id")
    threshold.SetLowerThreshold(grain_id)
    threshold.SetUpperThreshold(grain_id)
    threshold.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
    geometry = vtk.vtkGeometryFilter()
    geometry.SetInputConnection(threshold.GetOutputPort())
    geometry.Update()
    return geometry.GetOutput()


def check_surfaces(frame, grains, in_space):
    for grain in grains:
        part = select(frame, grain["id"])
        points = vtk_to_numpy(part.GetPoints().GetData()).astype(float)
        triangles = vtk.vtkTriangleFilter()
        triangles.SetInputData(part)
        triangles.Update()
        mass = vtk.vtkMassProperties()
        mass.SetInputConnection(triangles.GetOutputPort())
        found = mass.GetVolume() if in_space else mass.GetSurfaceArea()
        assert abs(found / grain["volume"] - 1) < 0.02, (grain["shape"], found, grain["volume"])
        if grain["shape"]["shape"] in ("sphere", "ellipsoid", "superellipsoid"):
            local = (points - grain["position"]) @ rotation(grain["quaternion"])
            assert np.abs(gauge(grain["shape"], local) - 1).max() < 1e-4, grain["shape"]


def check_glyphs(frame, grains):
    """ParaView's Tensor Glyph gives the surface of the grain."""
    for index, grain in enumerate(grains):
        if grain["shape"]["shape"] not in ("sphere", "ellipsoid", "superellipsoid"):
            assert not vtk_to_numpy(frame.GetPointData().GetArray("tensor"))[index].any()
            continue
        blockiness = vtk_to_numpy(frame.GetPointData().GetArray("blockiness"))[index]
        one = vtk.vtkPolyData()
        points = vtk.vtkPoints()
        points.InsertNextPoint(frame.GetPoint(index))
        one.SetPoints(points)
        tensor = vtk.vtkFloatArray()
        tensor.SetName("tensor")
        tensor.SetNumberOfComponents(9)
        tensor.InsertNextTuple(frame.GetPointData().GetArray("tensor").GetTuple(index))
        one.GetPointData().SetTensors(tensor)
        source = vtk.vtkSuperquadricSource()
        source.SetPhiRoundness(2 / blockiness[0])
        source.SetThetaRoundness(2 / blockiness[1])
        source.SetThetaResolution(32)
        source.SetPhiResolution(32)
        source.ToroidalOff()
        glyph = vtk.vtkTensorGlyph()
        glyph.SetInputData(one)
        glyph.SetSourceConnection(source.GetOutputPort())
        glyph.ExtractEigenvaluesOff()
        glyph.ThreeGlyphsOff()
        glyph.ColorGlyphsOff()
        glyph.SetScaleFactor(SCALE)
        glyph.Update()
        found = vtk_to_numpy(glyph.GetOutput().GetPoints().GetData()).astype(float)
        local = (found - grain["position"]) @ rotation(grain["quaternion"])
        worst = np.abs(gauge(grain["shape"], local) - 1).max()
        assert worst < 1e-4, (grain["shape"], worst)


# VTK's superquadric is one across, not two.
SCALE = 2.0


def main(folder):
    observer = fail_on_vtk_errors()
    expected = json.loads((folder / "expected.json").read_text())
    for dimension, wanted in expected.items():
        for kind in ("grains", "points", "contacts", "walls"):
            times, frame = series(folder / dimension, kind, observer)
            assert times == wanted["times"], (kind, times)
            if kind == "grains":
                check_surfaces(frame, wanted["grains"], dimension == "space")
            if kind == "points":
                ids = vtk_to_numpy(frame.GetPointData().GetArray("id")).tolist()
                assert ids == [grain["id"] for grain in wanted["grains"]]
                if dimension == "space":
                    check_glyphs(frame, wanted["grains"])
            if kind == "contacts":
                assert frame.GetNumberOfLines() > 0
                assert frame.GetCellData().GetArray("force").GetNumberOfComponents() == 3
            assert frame.GetNumberOfCells() > 0
    print("VTK", vtk.vtkVersion.GetVTKVersion(), "reads all frames, and they show what they must")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
