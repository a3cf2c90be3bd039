"""Renders the frames of a run with VTK itself, off screen, by the pipeline that `open.py` sets up in ParaView.

Checks that the grains are seen where they must be, as large as they must be, and in the colours of their speeds.
Needs the packages `vtk` and `numpy`. Usage: render_vtk.py FOLDER [PICTURE.png]
"""

import math
import sys
from pathlib import Path

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

sys.path.insert(0, str(Path(__file__).parent))
from read_vtk import fail_on_vtk_errors, select, series  # noqa: E402

SIDE = 600


def surface_actor(data, array, low, high):
    """Surfaces coloured by an array of their cells: from dark to light, as the numbers rise."""
    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(256)
    for i in range(256):
        table.SetTableValue(i, 0.1 + 0.9 * i / 255, 0.2, 1 - 0.9 * i / 255, 1)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.SetScalarModeToUseCellFieldData()
    mapper.SelectColorArray(array)
    mapper.SetLookupTable(table)
    mapper.SetScalarRange(low, high)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    return actor


def glass_actor(data):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetOpacity(0.12)
    return actor


def tube_actor(data):
    """Force chains: contacts as tubes, thicker where forces are larger."""
    tube = vtk.vtkTubeFilter()
    tube.SetInputData(data)
    tube.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "force_magnitude")
    tube.SetRadius(0.005)
    tube.SetVaryRadiusToVaryRadiusByScalar()
    tube.Update()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(tube.GetOutputPort())
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    return actor, tube.GetOutput().GetNumberOfPoints()


def picture(actors, bounds, toward):
    """What a parallel camera sees that looks at the middle of some bounds; and pixels per metre."""
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    for actor in actors:
        renderer.AddActor(actor)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(SIDE, SIDE)
    window.AddRenderer(renderer)
    middle = [0.5 * (bounds[i] + bounds[i + 1]) for i in (0, 2, 4)]
    half = 0.55 * math.dist(bounds[::2], bounds[1::2])
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetParallelScale(half)
    camera.SetFocalPoint(middle)
    camera.SetPosition([m + 4 * half * t for m, t in zip(middle, toward)])
    camera.SetViewUp(0, 0, 1)
    renderer.ResetCameraClippingRange()
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    image = grab.GetOutput()
    pixels = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(SIDE, SIDE, -1)
    return pixels[:, :, :3].astype(int), SIDE / (2 * half), image


def covered(pixels):
    return np.any(pixels < 250, axis=2)


def check_sphere(frame, sphere, radius):
    """From any side a sphere covers π r²."""
    part = select(frame, sphere)
    for toward in [(1, 0, 0), (1, -1, 1)]:
        pixels, scale, _ = picture([surface_actor(part, "speed", 0, 1)], part.GetBounds(), toward)
        area = covered(pixels).sum() / scale**2
        assert abs(area / (math.pi * radius**2) - 1) < 0.01, area


def check_colors(frame, ids):
    """A grain at the lower end of the scale is blue, one at the upper end red."""
    for grain, (low, high), channel in [(ids[0], (1e3, 1e4), 2), (ids[0], (-1e4, -1e3), 0)]:
        part = select(frame, grain)
        pixels, _, _ = picture([surface_actor(part, "speed", low, high)], part.GetBounds(), (1, -1, 1))
        seen = pixels[covered(pixels)].mean(axis=0)
        assert seen.argmax() == channel, seen


def main(folder, out):
    observer = fail_on_vtk_errors()
    _, grains = series(folder, "grains", observer)
    _, walls = series(folder, "walls", observer)
    _, contacts = series(folder, "contacts", observer)
    ids = sorted(set(vtk_to_numpy(grains.GetCellData().GetArray("id")).tolist()))
    check_sphere(grains, ids[0], 0.25)
    check_colors(grains, ids)
    tubes, points = tube_actor(contacts)
    assert points > 0, "there are no force chains"
    speeds = vtk_to_numpy(grains.GetCellData().GetArray("speed"))
    actors = [surface_actor(grains, "speed", speeds.min(), speeds.max()), glass_actor(walls), tubes]
    pixels, _, image = picture(actors, grains.GetBounds(), (1, -1, 1))
    share = covered(pixels).mean()
    assert 0.01 < share < 0.99, share
    if out:
        writer = vtk.vtkPNGWriter()
        writer.SetFileName(str(out))
        writer.SetInputData(image)
        writer.Write()
    print(f"VTK {vtk.vtkVersion.GetVTKVersion()} renders {len(ids)} grains off screen; {share:.0%} of the picture are covered")


if __name__ == "__main__":
    main(Path(sys.argv[1]) / "space", Path(sys.argv[2]) if len(sys.argv) > 2 else None)
