# What scikit-learn's learners come to in the loop people write for themselves: fit, draw the most doubtful, ask, fit again. Reads jobs as one JSON
# object from standard input, and writes a curve as JSON a line.
import csv, json, sys, time, warnings
import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC

warnings.filterwarnings("ignore")


class Constant:
    """What is said while all labels are of one class."""

    def __init__(self, label):
        self.classes_ = np.array([label])

    def predict_proba(self, rows):
        return np.ones((rows.shape[0], 1))


class Machine:
    """An RBF machine: drawn by its margins, as chances take five times as long and are only wanted where it is tested."""

    def __init__(self, seed):
        self.seed = seed

    def fit(self, rows, labels):
        self.rows, self.labels = rows, labels
        self.fitted = SVC(decision_function_shape="ovr").fit(rows, labels)
        self.classes_ = self.fitted.classes_
        return self

    def doubt(self, rows):
        scores = self.fitted.decision_function(rows)
        if scores.ndim == 1:
            return -np.abs(scores)
        top = np.sort(scores, axis=1)
        return top[:, -2] - top[:, -1]

    def predict(self, rows):
        return self.fitted.predict(rows)

    def predict_proba(self, rows):
        return SVC(probability=True, random_state=self.seed).fit(self.rows, self.labels).predict_proba(rows)


def learner(name, seed):
    return {
        "logistic": lambda: LogisticRegression(max_iter=1000),
        "logistic10": lambda: LogisticRegression(C=10, max_iter=1000),
        "forest": lambda: RandomForestClassifier(random_state=seed),
        "extra": lambda: ExtraTreesClassifier(random_state=seed),
        "svm": lambda: Machine(seed),
        "boosting": lambda: HistGradientBoostingClassifier(random_state=seed),
    }[name]()


def read(path):
    """The columns of a file by name, as texts; empty where nothing is said."""
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names, (np.array(column, dtype=object) for column in zip(*rows))))


def numbers(column):
    """As numbers, and nothing where it says nothing; None if it says something else."""
    try:
        return np.array([float(cell) if cell else np.nan for cell in column])
    except ValueError:
        return None


def encoded(pool, test, is_text, words):
    """Numbers standardised over the pool, all else as indicators, texts as TF-IDF of so many words together at most."""
    if is_text:
        encoder = TfidfVectorizer(ngram_range=(1, words))
        return encoder.fit_transform(pool["text"]), encoder.transform(test["text"])
    parts = []
    for name in (each for each in pool if each not in ("id", "y")):
        own, other = numbers(pool[name]), numbers(test[name])
        if own is None or other is None:
            encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(pool[name][:, None])
            parts.append((encoder.transform(pool[name][:, None]), encoder.transform(test[name][:, None])))
        elif np.nanstd(own) > 0:
            mean, deviation = np.nanmean(own), np.nanstd(own)
            parts.append([np.nan_to_num((values[:, None] - mean) / deviation) for values in (own, other)])
    return tuple(np.hstack(each) for each in zip(*parts))


def tested(model, rows, labels):
    """Error and log-loss, no chance taken for less than one in a thousand: a forest says 0 of what no tree has seen."""
    chances = model.predict_proba(rows)
    own = model.predict(rows) if hasattr(model, "predict") else model.classes_[chances.argmax(axis=1)]
    places = {label: k for k, label in enumerate(model.classes_)}
    found = np.array([chances[i, places[label]] if label in places else 0.0 for i, label in enumerate(labels)])
    return {"error": float(np.mean(own != labels)), "logLoss": float(-np.log(np.maximum(found, 1e-3)).mean())}


def doubts(model, rows):
    if hasattr(model, "doubt"):
        return model.doubt(rows)
    chances = np.sort(model.predict_proba(rows), axis=1)
    return chances[:, -2] - chances[:, -1] if chances.shape[1] > 1 else -chances[:, -1]


def curve(name, draws, split, rows, labels, test_rows, test_labels):
    rng = np.random.default_rng(split["seed"])
    order = rng.permutation(rows.shape[0])
    batch, checkpoints = split["batch"], split["checkpoints"]
    taken = list(order[:batch])
    points, model = [], None
    started, began = time.process_time(), time.perf_counter()
    spent = stopped = 0.0
    while True:
        at_checkpoint = len(taken) in checkpoints
        if draws == "uncertainty" or at_checkpoint:
            known = labels[taken]
            several = len(set(known)) > 1
            model = learner(name, split["seed"]).fit(rows[taken], known) if several else Constant(known[0])
        if at_checkpoint:
            paused, halted = time.process_time(), time.perf_counter()
            own = {"seconds": paused - started - spent, "clock": halted - began - stopped}
            points.append({"labels": len(taken), **tested(model, test_rows, test_labels), **own})
            spent += time.process_time() - paused
            stopped += time.perf_counter() - halted
        if len(taken) >= checkpoints[-1]:
            return points
        if draws == "uniform":
            taken = list(order[: len(taken) + batch])
            continue
        left = np.setdiff1d(np.arange(rows.shape[0]), taken)
        taken += list(left[np.argsort(-doubts(model, rows[left]), kind="stable")[:batch]])


request = json.load(sys.stdin)
pool, test = read(request["pool"]), read(request["test"])
labels, test_labels = pool["y"].astype(str), test["y"].astype(str)
rows, test_rows = encoded(pool, test, request["isText"], request.get("words", 2))
for job in request["jobs"]:
    points = curve(job["learner"], job["draws"], request, rows, labels, test_rows, test_labels)
    print(json.dumps({**job, "points": points}), flush=True)
