"""A model of your own in the loop of alis: copy this file, it needs nothing but Python.

    import alis_learner
    alis_learner.serve(fit)      # alis run pool.csv --learner-command 'python3 yours.py' …

`fit(task)` is called after every round and returns (identity, probabilities): what the model is called, and for each row
of task.rows, in their order, the probability of each class in the order of task.classes. Lists or a NumPy array.
"""

import csv
import json
import os
import struct
import sys


class Task:
    """What there is to learn from. `rows`, `ids` and `labels` are read when they are first asked for."""

    def __init__(self, message):
        self.pool = message["pool"]  # the path of the pool's file
        self.classes = message["classes"]
        self.round = message["round"]  # the round that is drawn next
        self.seed = message["seed"]  # for models that draw lots
        self.weights = [one["weight"] for one in message["labels"]]
        self.targets = [self.classes.index(one["label"]) for one in message["labels"]]
        self._labelled = [one["id"] for one in message["labels"]]
        self._id, self._hidden = message["id"], set(message["hidden"])

    @property
    def rows(self):
        """Every row of a CSV file, by the names of its columns. Answers and the id are left out."""
        return _read(self)[1]

    @property
    def ids(self):
        return _read(self)[0]

    @property
    def numbers(self):
        """The columns that hold nothing but numbers: a list of them for each row. Where a cell is empty, 0."""
        if self.pool not in _numbers:
            rows = self.rows
            names = [name for name in rows[0] if all(_is_number(row[name]) for row in rows)]
            _numbers[self.pool] = [[float(row[name] or 0) for name in names] for row in rows]
        return _numbers[self.pool]

    @property
    def positions(self):
        """Where the labelled points are among the rows: one for each of `targets` and `weights`."""
        places = {one: i for i, one in enumerate(self.ids)}
        return [places[one] for one in self._labelled]


_pool, _numbers = {}, {}  # the pool does not change while a project lasts


def _is_number(cell):
    try:
        float(cell or 0)
        return True
    except ValueError:
        return False


def _read(task):
    if task.pool not in _pool:
        if not task.pool.endswith((".csv", ".tsv", ".txt")):
            raise ValueError(f"read {task.pool} yourself, this module reads CSV: its ids are in the column {task._id}")
        with open(task.pool, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t" if task.pool.endswith(".tsv") else ","))
        if rows and task._id and task._id not in rows[0]:
            raise ValueError(f"commas are required between the cells of {task.pool}")
        ids = [row[task._id] for row in rows] if task._id else [str(i + 1) for i in range(len(rows))]
        left_out = task._hidden | {task._id}
        rows = [{name: cell for name, cell in row.items() if name not in left_out} for row in rows]
        _pool[task.pool] = (ids, rows)
    return _pool[task.pool]


def all_classes(probabilities, known, classes):
    """Columns for all classes, where a model has only met some: scikit-learn's `classes_`, as positions."""
    place = {int(k): j for j, k in enumerate(known)}
    return [[row[place[k]] if k in place else 0.0 for k in range(len(classes))] for row in probabilities]


def write_npy(path, rows, width):
    """An array as numpy.save writes it: 64-bit numbers, row by row."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {width}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin1"))
        for row in rows:
            file.write(struct.pack(f"<{width}d", *row))


def serve(fit):
    """Answers every line on stdin with one on stdout, until there are no more. What you print goes to stderr."""
    replies, sys.stdout = sys.stdout, sys.stderr  # replies go alone
    for line in sys.stdin:
        message = json.loads(line)
        try:
            task = Task(message)
            identity, probabilities = fit(task)
            path = message["write"] + ".npy"
            write_npy(path, probabilities, len(task.classes))
            reply = {"fit": message["fit"], "identity": identity, "file": os.path.abspath(path)}
        except Exception as error:  # alis says it, stops, and goes on from here the next time
            reply = {"fit": message["fit"], "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=replies, flush=True)
