"""Compilation: never stale, cached on disk, loops that take kernels, plain Python on request."""

import os
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from mjenv.core import kernel as kernel_module
from mjenv.core.kernel import (
    JIT_DISABLED,
    Argument,
    ArrayOf,
    cache_directory,
    content_hash,
    entry_point,
    kernel,
    loop,
)

ROOT = Path(__file__).parents[2]
UNITS_OF_A_CONCEALED_KONG = """
    import numpy as np
    from mjenv.sichuan.events import EVENT
    from mjenv.sichuan.rules import Rules
    from mjenv.sichuan.settlement import pay_kong
    from mjenv.sichuan.state import STATE, Meld
    state = np.zeros(1, STATE)[0]
    state["meld_type"][0, 0] = Meld.CONCEALED_KONG
    pay_kong(state, Rules.preset("qq").pack()[0], np.zeros(0, EVENT), 0, 0, True)
    print(state["points"][0])
"""
THREE_TIMES = """
    from bots.player import act
    print(act(10), act.stats.cache_hits if hasattr(act, "stats") else -1)
"""
needs_compilation = pytest.mark.skipif(JIT_DISABLED, reason="compilation is off")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages of its own: a copy of mjenv, and small bots."""
    shutil.copytree(
        ROOT / "mjenv", tmp_path / "mjenv", ignore=shutil.ignore_patterns("__pycache__")
    )
    write(tmp_path / "bots" / "__init__.py", "")
    write(tmp_path / "bots" / "factor.py", "FACTOR = 2")
    write(
        tmp_path / "bots" / "scale.py",
        """
        from bots.factor import FACTOR
        from mjenv.core.kernel import kernel
        @kernel
        def scaled(number: int) -> int:
            return FACTOR * number
        """,
    )
    write(
        tmp_path / "bots" / "player.py",
        """
        from bots.scale import scaled
        from mjenv.core.kernel import kernel
        @kernel
        def act(number: int) -> int:
            return scaled(number) + 1
        """,
    )
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def output(site: Path, script: str, **settings: str) -> str:
    """What a fresh process prints that finds its packages in ``site``."""
    environment = {**os.environ, "PYTHONPATH": str(site), "MJENV_CACHE_DIR": str(site / "cache")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script)],
        cwd=site,
        env={**environment, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ------------------------------------------------------------------------------- never stale


def test_an_edited_rule_constant_is_in_force(site: Path) -> None:
    assert output(site, UNITS_OF_A_CONCEALED_KONG) == "6"
    edit(
        site / "mjenv" / "sichuan" / "settlement.py",
        "_CONCEALED_UNITS = 2\n",
        "_CONCEALED_UNITS = 5\n",
    )
    assert output(site, UNITS_OF_A_CONCEALED_KONG) == "15"


def test_an_edited_constant_of_another_file_is_in_force(site: Path) -> None:
    assert output(site, THREE_TIMES).split()[0] == "21"
    edit(site / "bots" / "factor.py", "FACTOR = 2", "FACTOR = 4")
    assert output(site, THREE_TIMES).split()[0] == "41"


@needs_compilation
def test_an_edited_kernel_of_another_file_is_in_force(site: Path) -> None:
    assert output(site, THREE_TIMES).split()[0] == "21"
    assert output(site, THREE_TIMES) == "21 Counter({(int64,): 1})", "the second run is cached"
    edit(site / "bots" / "scale.py", "FACTOR * number", "3 * number")
    assert output(site, THREE_TIMES) == "31 Counter()", "the third run is compiled anew"


@needs_compilation
def test_an_edit_of_mjenv_compiles_bots_anew(site: Path) -> None:
    output(site, THREE_TIMES)
    edit(site / "mjenv" / "core" / "rng.py", "_ROUNDS = 40", "_ROUNDS = 41")
    assert output(site, THREE_TIMES) == "21 Counter()"


@needs_compilation
def test_versions_of_numba_keep_their_code_apart(site: Path) -> None:
    """Each would empty the cache of the other, so that two environments compiled in turn."""
    other = f"import numba; numba.__version__ = '0.0'\n{textwrap.dedent(THREE_TIMES)}"
    assert [output(site, THREE_TIMES), output(site, other)] == ["21 Counter()"] * 2
    again = [output(site, THREE_TIMES), output(site, other)]
    assert again == ["21 Counter({(int64,): 1})"] * 2


@needs_compilation
def test_bounds_checks_do_not_share_code_with_the_rest(site: Path) -> None:
    write(
        site / "bots" / "reader.py",
        """
        import numpy as np
        from mjenv.core.kernel import kernel
        @kernel
        def read(cells: np.ndarray, place: int) -> int:
            return cells[place]
        """,
    )
    script = """
        import numpy as np
        from bots.reader import read
        try:
            read(np.zeros(4, np.int8), 4_000_000_000_000 if {far} else 2)
            print("read")
        except IndexError:
            print("checked")
    """
    assert output(site, script.format(far=0)) == "read"
    assert output(site, script.format(far=1), NUMBA_BOUNDSCHECK="1") == "checked"


@needs_compilation
def test_no_kernel_of_the_contract_is_refused_by_the_cache(site: Path) -> None:
    """Numba warns "cannot cache" where a kernel reaches something too large or dynamic."""
    script = """
        from mjenv.core.rng import new_generator
        from mjenv.core.suits import NUM_BIT_WORDS, NUM_KEYS, suit_need
        from mjenv.sichuan.hand import wins_with
        import numpy as np
        luts = np.zeros(NUM_KEYS + NUM_BIT_WORDS, np.int64)
        luts.flags.writeable = False
        new_generator()
        suit_need(0, 1, 1)
        wins_with(np.zeros(3, np.int32), 3, 0, 0, -1, luts)
        print("quiet")
    """
    assert output(site, script) == "quiet"
    assert list((site / "cache").rglob("*.nbc"))


def test_the_cache_is_where_it_is_told_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("MJENV_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert cache_directory() == Path.home() / ".cache" / "mjenv"
    monkeypatch.setenv("XDG_CACHE_HOME", "a")
    assert cache_directory() == Path("a", "mjenv")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "b")
    assert cache_directory() == Path("b", "mjenv")
    monkeypatch.setenv("MJENV_CACHE_DIR", "c")
    assert cache_directory() == Path("c", "mjenv")


@needs_compilation
def test_a_kernel_works_without_a_folder_to_cache_in(site: Path) -> None:
    (site / "cache").write_text("a file where the folder should be", encoding="utf-8")
    assert output(site, THREE_TIMES) == "21 Counter()"


def test_the_content_hash_sees_names_and_bytes(tmp_path: Path) -> None:
    def hash_of(name: str, text: str) -> str:
        folder = tmp_path / f"{name}{len(text)}" / "package"
        folder.mkdir(parents=True)
        write(folder / f"{name}.py", text)
        return content_hash(str(folder))

    hashes = [hash_of("one", "a = 1"), hash_of("two", "a = 1"), hash_of("one", "a = 10")]
    assert len(set(hashes)) == 3


# -------------------------------------------------------------------------------- plain Python


def test_without_compilation_kernels_are_the_functions_themselves(site: Path) -> None:
    script = """
        import types
        from mjenv.sichuan.step import step
        from bots.player import act
        print(isinstance(step, types.FunctionType), act(10))
    """
    assert output(site, script, NUMBA_DISABLE_JIT="1") == "True 21"


def test_integers_of_any_width_are_computed_with_64_bits() -> None:
    small = np.array([100], np.int8)
    assert outer(small) == 100 * 100 * 100


@kernel
def cube(number: int) -> int:
    return number * number * number


@kernel
def outer(cells: np.ndarray) -> int:
    return cube(int(cells[0]))


# --------------------------------------------------------------------------------------- loops


@kernel
def double(cells: np.ndarray, number: int) -> int:
    cells[0] += 1
    return 2 * number


@kernel
def square(cells: np.ndarray, number: int) -> int:
    cells[0] += 100
    return number * number


@kernel
def is_even(cells: np.ndarray, number: int) -> bool:
    return number % 2 == 0


TAKES = (ArrayOf(np.int64), int)


@loop
def total(cells: np.ndarray, count: int, function: Argument) -> int:
    """Sum of ``function`` over 0..count-1."""
    result = 0
    for number in range(count):
        result += function(cells, number)
    return result


def test_one_loop_serves_every_kernel_of_a_type() -> None:
    cells = np.zeros(1, np.int64)
    assert total(cells, 5, Argument(double, TAKES, int)) == 20
    assert total(cells, 5, Argument(square, TAKES, int)) == 30
    assert cells[0] == 5 + 500
    if not JIT_DISABLED:
        compiled = total.__closure__
        assert compiled is not None
        dispatchers = [
            cell.cell_contents for cell in compiled if hasattr(cell.cell_contents, "overloads")
        ]
        assert len(dispatchers[0].overloads) == 1


def test_an_argument_can_be_called_itself() -> None:
    assert Argument(double, TAKES, int)(np.zeros(1, np.int64), 4) == 8


@loop
def first_and_sum(cells: np.ndarray) -> int:
    """First cell, and the sum of all times a hundred."""
    result = 0
    for i in range(cells.shape[0]):
        result += 100 * cells[i]
    return result + cells[0]


def test_a_loop_reads_every_layout_of_an_array() -> None:
    cells = np.array([1, 20, 3, 40], np.int64)
    every_other = cells[::2]
    assert first_and_sum(cells) == 6401
    assert first_and_sum(every_other) == 401
    cells.flags.writeable = False
    assert first_and_sum(cells) == 6401
    assert first_and_sum(cells.astype(np.int8)) == 6401
    assert first_and_sum(cells) == 6401


def test_only_a_kernel_of_the_right_kind_is_handed_to_a_loop() -> None:
    def plain(cells: np.ndarray, number: int) -> int:
        return number

    if JIT_DISABLED:
        pytest.skip("plain Python takes anything")
    with pytest.raises(TypeError, match="plain is no kernel: decorate it"):
        total(np.zeros(1, np.int64), 5, Argument(plain, TAKES, int))
    with pytest.raises(TypeError, match=r"double returns int64; it must return none$"):
        _ = Argument(double, TAKES, None).address
    with pytest.raises(TypeError, match=r"is_even returns bool; .* int64; write return int\("):
        _ = Argument(is_even, TAKES, int).address
    with pytest.raises(TypeError, match="double takes 2 arguments; it must take 3"):
        _ = Argument(double, (*TAKES, int), int).address


HANDED_OVER = """
    import numpy as np
    from bots.player import act
    from bots.loops import total
    from mjenv.core.kernel import Argument
    print({}total(np.zeros(1, np.int64), Argument(act, (int,), int)))
"""


@needs_compilation
def test_a_kernel_that_is_called_before_it_is_handed_over_is_cached_too(site: Path) -> None:
    write(
        site / "bots" / "loops.py",
        """
        import numpy as np
        from bots.player import act
        from mjenv.core.kernel import kernel, loop
        @kernel
        def twice(number: int) -> int:
            return act(act(number))
        @loop
        def total(cells: np.ndarray, function: object) -> int:
            return function(10) + cells[0]
        """,
    )
    called_before = HANDED_OVER.format("__import__('bots.loops').loops.twice(1), ")
    assert output(site, called_before) == "7 21"
    watched = """
    from mjenv.core import kernel
    def fail():
        raise AssertionError("compiled again")
    kernel.announce_compiling = fail
    """
    assert output(site, textwrap.dedent(watched) + textwrap.dedent(HANDED_OVER.format(""))) == "21"


@kernel
def constant(cells: np.ndarray, number: int) -> int:
    return 7


def test_a_kernel_may_return_a_constant() -> None:
    assert total(np.zeros(1, np.int64), 5, Argument(constant, TAKES, int)) == 35


def test_an_argument_is_pickled_by_the_name_of_its_kernel() -> None:
    again = pickle.loads(pickle.dumps(Argument(double, TAKES, int)))
    assert again.function is double
    assert total(np.zeros(1, np.int64), 5, again) == 20


def test_a_loop_keeps_name_and_docstring() -> None:
    assert total.__name__ == "total"
    assert total.__doc__ == "Sum of ``function`` over 0..count-1."


@needs_compilation
def test_types_of_arguments_are_spelled_out() -> None:
    record = np.dtype([("a", "i1"), ("b", "i4", 3)], align=True)
    first = Argument(double, (record, ArrayOf(np.int8, 2), int), None).type
    assert first == Argument(square, (record, ArrayOf(np.int8, 2), int), None).type
    assert first != Argument(double, (record, ArrayOf(np.int8, 1), int), None).type
    assert first != Argument(double, (record, ArrayOf(np.int8, 2), int), int).type
    writeable = Argument(double, (ArrayOf(np.int64),), None).type
    assert writeable != Argument(double, (ArrayOf(np.int64, read_only=True),), None).type


def test_an_entry_point_is_the_kernel_for_arguments_like_the_examples() -> None:
    numbers = np.arange(5)
    fast = entry_point(double, numbers, 0)
    assert fast(numbers, 3) == double(numbers, 3) == 6
    assert fast(np.arange(10), 9) == 18
    assert (fast is double) == JIT_DISABLED
    cells = np.zeros(1, np.int64)
    quick = entry_point(total, cells, 5, Argument(double, TAKES, int))
    assert quick(cells, 5, Argument(double, TAKES, int)) == 20
    assert quick(cells, 5, Argument(square, TAKES, int)) == 30


def test_only_one_file_imports_numba() -> None:
    importers = [
        path.relative_to(ROOT).as_posix()
        for package in ("mjenv", "agents", "train")
        for path in (ROOT / package).rglob("*.py")
        if "import numba" in path.read_text(encoding="utf-8")
    ]
    assert importers == [Path(kernel_module.__file__).relative_to(ROOT).as_posix()]
