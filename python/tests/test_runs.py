"""Reading runs, whole ones and ones that were cut off."""

import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

import gritstone as gs


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from conftest import BEADS

    home = tmp_path_factory.mktemp("run")
    (home / "beads.toml").write_text(BEADS)
    command = [sys.executable, "-m", "gritstone", "run", str(home / "beads.toml"), "--out", str(home / "out")]
    subprocess.run(command, capture_output=True, check=True)
    return home / "out"


def test_frames_are_those_of_the_simulation(folder, beads):
    run = gs.open(folder)
    assert len(run.frames) == 11
    np.testing.assert_allclose(run.frames.time, np.arange(11) * 5e-3, atol=1e-9)
    sim = gs.Simulation(beads)
    sim.run(until=0.025)
    frame = run.frames[5]
    assert frame.step == sim.status.step
    np.testing.assert_array_equal(frame.grains.id, sim.grains.id)
    # docs/trajectory.md: positions are within 1/8192 of the smallest grain's size, here 5 mm.
    np.testing.assert_allclose(frame.grains.position, sim.grains.position, rtol=0, atol=5e-3 / 8192)
    assert run.frames[-1].step == run.frames[10].step
    with pytest.raises(IndexError, match="there is no frame 11; there are 11"):
        run.frames[11]
    assert [frame.step for frame in run.frames[-2:]] == [run.frames[9].step, run.frames[10].step]


def test_tables(folder):
    run = gs.open(folder)
    energies = run.energies
    assert energies.time[0] == 0 and energies.time[-1] == pytest.approx(0.05)
    parts = energies.translation + energies.rotation + energies.potential + energies.elastic
    whole = parts + energies.dissipated + energies.taken_out - energies.wall_work
    np.testing.assert_allclose(whole, energies.balance, rtol=1e-9)
    assert run.summary is not None
    assert len(run.final["id"]) == 27


def test_frames_as_pandas(folder):
    grains = gs.open(folder).frames[3].grains
    pandas = pytest.importorskip("pandas")
    table = grains.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == 27
    np.testing.assert_array_equal(table["position_z"], grains.position[:, 2])
    np.testing.assert_array_equal(table["rotation_w"], grains.rotation[:, 0])


@pytest.mark.parametrize(("package", "convert"), [("polars", "to_polars"), ("xarray", "to_xarray")])
def test_frames_as_other_tables(folder, package, convert):
    pytest.importorskip(package)
    grains = gs.open(folder).frames[3].grains
    other = getattr(grains, convert)()
    np.testing.assert_array_equal(np.asarray(other["id"]), grains.id)


def test_all_frames_as_one_table(folder):
    frames = gs.open(folder).frames
    table = frames.to_table()
    assert table.rows == 11 * 27
    np.testing.assert_array_equal(np.unique(table.time), frames.time)
    pytest.importorskip("pandas")
    grouped = frames.to_pandas().groupby("time")["position_z"].mean()
    np.testing.assert_allclose(grouped, [frame.grains.position[:, 2].mean() for frame in frames], rtol=1e-12)


def test_all_frames_over_time_and_id(folder):
    pytest.importorskip("xarray")
    frames = gs.open(folder).frames
    data = frames.to_xarray()
    assert dict(data.sizes) == {"time": 11, "id": 27, "axis": 3, "quaternion": 4}
    np.testing.assert_array_equal(data["position"][4], frames[4].grains.position)


def test_pictures_of_a_run(folder):
    run = gs.open(folder)
    assert run.snapshot(0.02, size=200).size[0] == 200
    with pytest.raises(ValueError, match="7"):
        run.snapshot(7.0)
    assert len(run.show(every=5).html) < len(run.show().html)
    pytest.importorskip("pyvista")
    assert set(run.frames[2].to_pyvista().cell_data["id"]) == set(run.frames[2].grains.id)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(run.plot().lines) == 5 and len(run.plot("contacts").lines) == 1


def test_a_run_that_is_going_on_grows(folder, tmp_path):
    growing = tmp_path / "growing"
    shutil.copytree(folder, growing)
    (growing / "summary.json").unlink()
    file = growing / "trajectory.grit"
    whole = file.read_bytes()
    file.write_bytes(whole[: int(0.9 * len(whole))])
    run = gs.open(growing)
    before = len(run.frames)
    assert 0 < before < 11 and run.summary is None
    file.write_bytes(whole)
    assert len(run.frames) == 11


def test_a_run_is_read_while_it_goes_on_and_after_it_was_killed(beads, tmp_path):
    scene, out = tmp_path / "beads.toml", tmp_path / "out"
    long = beads.replace('end = "0.05 s"', 'end = "1000 s"').replace('energies = "1 ms"', 'energies = "0.1 ms"')
    scene.write_text(long.replace('every = "5 ms"', 'every = "1 ms"'))
    command = [sys.executable, "-m", "gritstone", "run", str(scene), "--out", str(out), "--threads", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = [0]
    try:
        for _ in range(1200):
            time.sleep(0.05)
            if not (out / "trajectory.grit").exists() or not (out / "energies.csv").exists():
                continue
            run = gs.open(out)
            frames = run.frames
            seen.append(len(frames))
            # Whatever moment this is, what is there is whole.
            assert run.summary is None and seen[-1] >= seen[-2]
            for frame in frames[-1:]:
                assert frame.grains.rows == 27 and np.isfinite(frame.grains.position).all()
            energies = run.energies
            assert {len(column) for column in energies.values()} == {energies.rows}
            if len(set(seen)) > 8:
                break
        assert len(set(seen)) > 8 and process.poll() is None
    finally:
        process.kill()
        process.wait()
    run = gs.open(out)
    assert run.summary is None and len(run.frames) >= seen[-1]
    times = run.energies.time
    assert (np.diff(times) > 0).all() and times[-1] >= run.frames[-1].time - 1e-3
    assert run.frames.to_table().rows == 27 * len(run.frames)


def test_a_run_that_was_cut_off_is_read_as_far_as_it_goes(folder, tmp_path):
    cut = tmp_path / "cut"
    shutil.copytree(folder, cut)
    (cut / "summary.json").unlink()
    (cut / "final.csv").unlink()
    file = cut / "trajectory.grit"
    file.write_bytes(file.read_bytes()[: int(0.97 * file.stat().st_size)])
    table = cut / "energies.csv"
    table.write_text(table.read_text()[:-7])
    run = gs.open(cut)
    assert run.summary is None
    assert 0 < len(run.frames) < 11 and run.frames[-1].grains.rows == 27
    assert run.energies.rows == gs.open(folder).energies.rows - 1


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no run"):
        gs.open(tmp_path)


def test_files_that_are_not_there_yet_are_told(beads, tmp_path):
    (tmp_path / "scene.toml").write_text(beads)
    run = gs.open(tmp_path)
    for look, name in (
        (lambda: run.frames, "trajectory.grit"),
        (lambda: run.energies, "energies.csv"),
        (lambda: run.final, "final.csv"),
    ):
        with pytest.raises(FileNotFoundError, match=f"has no {name}: the run has just begun"):
            look()
    assert run.probes == {} and run.summary is None


def test_columns_of_a_table_have_one_length():
    with pytest.raises(ValueError, match="different numbers of rows: a 2, b 1"):
        gs.Table({"a": [1, 2], "b": [3]})
