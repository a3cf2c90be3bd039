"""Opens this run in ParaView: grains coloured by speed, walls as glass, force chains ready to be switched on.

In ParaView: File > Load State, choose this file; or on a terminal

    paraview --script=open.py
    pvbatch open.py --picture grains.png [--frame N]      (a picture, without a window)

The files of the run are looked for beside this file, or where GRITSTONE_VTK says. Works with ParaView 5.9 and later.
"""

import os
import sys

from paraview.simple import (
    ColorBy,
    GetActiveViewOrCreate,
    GetAnimationScene,
    GetColorTransferFunction,
    GetScalarBar,
    Hide,
    PVDReader,
    Render,
    ResetCamera,
    SaveScreenshot,
    Show,
    Tube,
    UpdatePipeline,
)


def folder():
    """Where the series are."""
    if os.environ.get("GRITSTONE_VTK"):
        return os.environ["GRITSTONE_VTK"]
    name = globals().get("__file__") or sys._getframe().f_code.co_filename
    here = os.path.dirname(os.path.abspath(name))
    return here if os.path.exists(os.path.join(here, "points.pvd")) else os.getcwd()


def series(name):
    """A series of frames as a source, or nothing where it was not written."""
    path = os.path.join(folder(), name + ".pvd")
    return PVDReader(registrationName=name, FileName=path) if os.path.exists(path) else None


def color(shown, source, view, association, array, preset):
    """Colours by an array over all its values, with a legend."""
    ColorBy(shown, (association, array))
    table = GetColorTransferFunction(array)
    table.ApplyPreset(preset, True)
    shown.RescaleTransferFunctionToDataRange(True, False)
    shown.SetScalarBarVisibility(view, True)
    GetScalarBar(table, view).Title = array


def show_grains(view):
    """The surfaces of the grains by speed; their centres where there are no surfaces."""
    grains = series("grains") or series("points")
    UpdatePipeline(time=last_time(grains), proxy=grains)
    shown = Show(grains, view)
    association = "CELLS" if grains.CellData.keys() else "POINTS"
    color(shown, grains, view, association, "speed", "Viridis (matplotlib)")
    return grains


def show_walls(view):
    """The walls as glass with edges."""
    walls = series("walls")
    if walls is None:
        return
    shown = Show(walls, view)
    shown.ColorArrayName = [None, ""]
    shown.Opacity = 0.12
    shown.DiffuseColor = [0.6, 0.65, 0.7]
    shown.SetRepresentationType("Surface With Edges")


def add_force_chains(view):
    """Contacts as tubes, thicker where forces are larger; hidden until they are wanted."""
    contacts = series("contacts")
    if contacts is None:
        return None
    UpdatePipeline(time=last_time(contacts), proxy=contacts)
    tubes = Tube(registrationName="force chains", Input=contacts)
    if contacts.PointData.keys():
        tubes.Scalars = ["POINTS", "force_magnitude"]
        tubes.VaryRadius = "By Scalar"
    bounds = contacts.GetDataInformation().GetBounds()
    tubes.Radius = 2e-3 * max(abs(b - a) for a, b in zip(bounds[::2], bounds[1::2]))
    tubes.RadiusFactor = 10.0
    Hide(contacts, view)
    Hide(tubes, view)
    return tubes


def last_time(source):
    """Time of the last frame."""
    times = source.TimestepValues
    return times[-1] if hasattr(times, "__len__") and len(times) else (times or 0.0)


def is_flat(source):
    bounds = source.GetDataInformation().GetBounds()
    return bounds[4] == bounds[5]


def main():
    view = GetActiveViewOrCreate("RenderView")
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 1
    view.OrientationAxesLabelColor = [0.1, 0.1, 0.1]
    grains = show_grains(view)
    show_walls(view)
    add_force_chains(view)
    # From +x, −y, +z; in the plane from above.
    view.CameraPosition, view.CameraFocalPoint = [1.0, -1.0, 1.0], [0.0, 0.0, 0.0]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    if is_flat(grains):
        view.CameraPosition, view.CameraViewUp = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]
        view.InteractionMode = "2D"
    scene = GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    times = grains.TimestepValues
    times = list(times) if hasattr(times, "__len__") else [times]
    arguments = sys.argv[1:]
    number = int(arguments[arguments.index("--frame") + 1]) if "--frame" in arguments else -1
    scene.AnimationTime = times[number]
    ResetCamera(view)
    Render(view)
    if "--picture" in arguments:
        picture = arguments[arguments.index("--picture") + 1]
        SaveScreenshot(picture, view, ImageResolution=[1000, 750])


main()
