"""Arrays on disk that grow, and folders that appear complete or not at all."""

import numpy as np
import pytest

from mjenv.core.columns import Column, new_folder


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32])
def test_a_column_is_the_array_of_its_rows(tmp_path, shape, dtype):
    rows = np.arange(1000 * int(np.prod(shape)), dtype=dtype).reshape(1000, *shape)
    with Column(tmp_path / "x.npy", shape, dtype) as column:
        for start, end in [(0, 1), (1, 1), (1, 700), (700, 1000)]:
            column.append(rows[start:end])
    assert column.length == 1000
    for mode in (None, "r"):
        found = np.load(tmp_path / "x.npy", mmap_mode=mode, allow_pickle=False)
        assert found.dtype == dtype
        assert (found == rows).all()


def test_rows_are_converted_but_not_bent(tmp_path):
    with Column(tmp_path / "x.npy", (2,), np.int16) as column:
        column.append(np.array([[1, 2], [3, 4]])[:, ::-1])
        with pytest.raises(ValueError, match=r"rows of shape \(4,\) for a column of \(2,\)"):
            column.append(np.zeros((1, 4)))
    found = np.load(tmp_path / "x.npy")
    assert found.dtype == np.int16
    assert found.tolist() == [[2, 1], [4, 3]]


def test_a_folder_gets_its_name_when_it_is_complete(tmp_path):
    with new_folder(tmp_path / "new") as folder:
        assert not (tmp_path / "new").exists()
        (folder / "file").write_text("x")
    assert (tmp_path / "new" / "file").read_text() == "x"
    assert list(tmp_path.iterdir()) == [tmp_path / "new"]


def fail_in(path):
    with new_folder(path) as folder:
        (folder / "file").write_text("x")
        raise KeyboardInterrupt


def test_nothing_is_left_of_a_folder_that_failed(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fail_in(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(tmp_path):
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("old", "link"):
        with pytest.raises(FileExistsError, match=f"{name} is there already"):
            new_folder(tmp_path / name).__enter__()
    with pytest.raises(FileExistsError), new_folder(tmp_path / "new"):
        (tmp_path / "new").write_text("somebody else was quicker")
    assert {path.name for path in tmp_path.iterdir()} == {"old", "link", "new"}
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        new_folder(tmp_path / "none" / "new").__enter__()
