"""Writes the Arrow files beside it, and the same tables as Parquet to compare with: python make.py (needs pyarrow; made with 25.0)."""

import datetime as dt
import decimal as dec
import pathlib

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

here = pathlib.Path(__file__).parent
D = dec.Decimal
utc = dt.timezone.utc


def column(values, type):
    return pa.array(values, type)


day = dt.date(2024, 1, 2)
early = dt.date(1899, 12, 31)
moment = dt.datetime(2024, 1, 2, 3, 4, 5, 120000)
before = dt.datetime(1969, 12, 31, 23, 59, 59, 250000)

# What Parquet holds too: every column must read as the same column of types.parquet does.
types = {
    "int8": column([-128, None, 127], pa.int8()),
    "int16": column([-32768, None, 32767], pa.int16()),
    "int32": column([-(2**31), None, 2**31 - 1], pa.int32()),
    "int64": column([-(2**63), None, 9007199254740993], pa.int64()),
    "uint8": column([0, None, 255], pa.uint8()),
    "uint16": column([0, None, 65535], pa.uint16()),
    "uint32": column([0, None, 2**32 - 1], pa.uint32()),
    "uint64": column([0, None, 2**64 - 1], pa.uint64()),
    "half": column([0.5, None, -65504.0], pa.float16()),
    "float": column([0.1, None, -1e-3], pa.float32()),
    "double": column([1.0, None, 0.1], pa.float64()),
    "bool": column([True, None, False], pa.bool_()),
    "utf8": column(["007", None, "née 🦆"], pa.string()),
    "large_utf8": column(["", None, "two\nlines"], pa.large_string()),
    "utf8_view": column(["short", None, "longer than twelve bytes"], pa.string_view()),
    "dictionary": pa.array(["b", None, "a"]).dictionary_encode(),
    "decimal32": column([D("1.50"), None, D("-0.01")], pa.decimal32(9, 2)),
    "decimal64": column([D("1.50"), None, D("-9999999999999.99")], pa.decimal64(15, 2)),
    "decimal128": column([D("1.50"), None, D("-123456789012345678901234567890.12")], pa.decimal128(32, 2)),
    "date32": column([day, None, early], pa.date32()),
    "time32": column([dt.time(3, 4, 5), None, dt.time(23, 59, 59)], pa.time32("s")),
    "time64": column([dt.time(3, 4, 5, 120000), None, dt.time(0, 0, 0, 1)], pa.time64("us")),
    "milliseconds": column([moment, None, before], pa.timestamp("ms")),
    "microseconds": column([moment, None, before], pa.timestamp("us")),
    "nanoseconds": column([1704164645123456789, None, -1], pa.timestamp("ns")),
    "zoned": column([moment.replace(tzinfo=utc), None, before.replace(tzinfo=utc)], pa.timestamp("ms", "Europe/Berlin")),
    "duration": column([7, None, -7], pa.duration("us")),
    "binary": column([b"\xaaA", None, b""], pa.binary()),
    "binary_view": column([b"\xaaA", None, b"longer than twelve bytes"], pa.binary_view()),
    "fixed_binary": column([b"ab", None, b"cd"], pa.binary(2)),
    "list": column([[1.5, 2.0], None, [3.0, 4.5]], pa.list_(pa.float32())),
    "uneven": column([[1], None, [2, None]], pa.list_(pa.int64())),
    "large_list": column([[1.5, 2.0], None, [3.0, 4.5]], pa.large_list(pa.float64())),
    "fixed_list": column([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)),
    "words": column([["a", "b"], None, []], pa.list_(pa.string())),
    "struct": column([{"a": 1, "b": [True, None]}, None, {"a": None, "b": None}], pa.struct([("a", pa.int32()), ("b", pa.list_(pa.bool_()))])),
    "map": column([[("k", 1.5)], None, []], pa.map_(pa.string(), pa.float64())),
    "nothing": pa.nulls(3),
}

# What pyarrow cannot write as Parquet in the same type. The texts expected are in arrow.test.ts.
others = {
    "date64": column([day, None, early], pa.date64()),
    "seconds": column([moment.replace(microsecond=0), None, before.replace(microsecond=0)], pa.timestamp("s")),
    "time_ns": column([1500, None, 86399999999999], pa.time64("ns")),
    "zoned_ns": column([1704164645123456789, None, -1], pa.timestamp("ns", "UTC")),
    "list_half": column([[0.5], None, [2]], pa.list_(pa.float16())),
    "list_view": column([[1.5, 2.0], None, [3.0, 4.5]], pa.list_view(pa.float32())),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["x", None])),
    "runs_of_numbers": pa.RunEndEncodedArray.from_arrays(pa.array([1, 3], pa.int16()), pa.array([0.5, 7.0])),
    "dictionary_of_numbers": pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.int8()), pa.array([10, 2**60])),
    "decimal256": column([D("1.50"), None, D("-2.25")], pa.decimal256(60, 2)),
    "long_decimal": column([D("0.5"), None, D("123456789012345678901234567890123456789012345.678")], pa.decimal256(60, 3)),
}


def write_stream(name, schema, batches, options=None):
    with pa.ipc.new_stream(str(here / name), schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)


table = pa.table(types)
pq.write_table(table, here / "types.parquet")
for compression in ["uncompressed", "lz4", "zstd"]:
    feather.write_feather(table, here / f"types-{compression}.feather", compression=compression)
write_stream("types.arrows", table.schema, table.to_batches(max_chunksize=2))
feather.write_feather(pa.table(others), here / "others.arrow")

# Twelve batches, long enough to be worth compressing, with text that repeats itself.
rows = 12_000
many = pa.table({
    "id": pa.array([f"row {i}" for i in range(rows)]),
    "x": pa.array([i / 4 if i % 5 else None for i in range(rows)], pa.float32()),
    "kind": pa.array([["low", "middle", "high"][i * 3 // rows] for i in range(rows)]).dictionary_encode(),
    "pair": pa.FixedSizeListArray.from_arrays(pa.array([v / 2 for i in range(rows) for v in (i, -i)], pa.float32()), 2),
})
feather.write_feather(many, here / "many.feather", compression="lz4", chunksize=1000)

# Dictionaries that grow, and dictionaries that are replaced.
kinds = pa.dictionary(pa.int32(), pa.string())
def some(words, dictionary):
    return pa.record_batch([pa.DictionaryArray.from_arrays(pa.array([dictionary.index(w) for w in words], pa.int32()), pa.array(dictionary))], names=["kind"])
schema = pa.schema([("kind", kinds)])
growing = [some(["a", "b"], ["a", "b"]), some(["c", "a"], ["a", "b", "c"]), some(["d", "b"], ["a", "b", "c", "d"])]
write_stream("growing.arrows", schema, growing, pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True))
replaced = [some(["a", "b"], ["a", "b"]), some(["x", "y"], ["y", "x"]), some(["b"], ["b"])]
write_stream("replaced.arrows", schema, replaced)

feather.write_feather(table.slice(0, 0), here / "empty.feather")
write_stream("empty.arrows", table.schema, [])
feather.write_feather(table.select(["int8", "utf8"]), here / "version1.feather", version=1)
unions = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])])
feather.write_feather(pa.table({"a": pa.array([1, 2]), "u": unions}), here / "union.arrow")
intervals = pa.array([pa.MonthDayNano([1, 2, 3])], pa.month_day_nano_interval())
feather.write_feather(pa.table({"i": intervals}), here / "interval.arrow")
feather.write_feather(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), here / "twice.arrow")
thousands = pa.array([D("12e3")], pa.decimal128(5, -3))
feather.write_feather(pa.table({"t": thousands}), here / "scale.arrow")
