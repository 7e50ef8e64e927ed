"""Tables of scikit-learn, splits, scikit-learn's accuracies next to Braid's, and their summary.

    tables.py write FOLDER              tables of scikit-learn as CSV files
    tables.py split FILE SEED FOLDER    a table as NAME.csv and NAME.test.csv
    tables.py compare FILE SEED OUT     a line: table, rows, accuracies of Braid and of scikit-learn
    tables.py summary LINES             means over the seeds, as a Markdown table
"""

import csv
import json
import os
import sys
import warnings
from collections import defaultdict

import numpy
from sklearn import datasets
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

TEST_SHARE = 0.3


def read(file):
    with open(file, newline="") as table:
        rows = list(csv.reader(table))
    return rows[0], rows[1:]


def save(file, head, rows):
    with open(file, "w", newline="") as table:
        out = csv.writer(table)
        out.writerow(head)
        out.writerows(rows)


def write(folder):
    for name in ["iris", "wine", "digits", "breast_cancer"]:
        data = getattr(datasets, "load_" + name)()
        head = [f"f{i}" for i in range(data.data.shape[1])] + ["class"]
        rows = [[repr(float(v)) for v in x] + [f"c{y}"] for x, y in zip(data.data, data.target)]
        save(f"{folder}/{name}.csv", head, rows)


def split(file, seed, folder):
    head, rows = read(file)
    train, test = train_test_split(
        rows, test_size=TEST_SHARE, stratify=[row[-1] for row in rows], random_state=int(seed)
    )
    os.makedirs(folder, exist_ok=True)
    name = os.path.splitext(os.path.basename(file))[0]
    save(f"{folder}/{name}.csv", head, train)
    save(f"{folder}/{name}.test.csv", head, test)


def samples(file):
    rows = read(file)[1]
    return numpy.array([[float(v) for v in row[:-1]] for row in rows]), [row[-1] for row in rows]


def compare(file, seed, out):
    # scikit-learn warns where 200 epochs, its default, are too few for its tolerance.
    warnings.filterwarnings("ignore")
    features, labels = samples(file)
    test_features, test_labels = samples(file.replace(".csv", ".test.csv"))
    scaler = StandardScaler().fit(features)
    models = [MLPClassifier(random_state=int(seed)), LogisticRegression()]
    scores = [
        model.fit(scaler.transform(features), labels).score(scaler.transform(test_features), test_labels)
        for model in models
    ]
    with open(f"{out}/summary.json") as summary:
        braid = json.load(summary)["testAccuracy"]
    name = os.path.splitext(os.path.basename(file))[0]
    print(name, len(labels), len(test_labels), features.shape[1], braid, *scores)


def summary(lines):
    by_table = defaultdict(list)
    for line in open(lines):
        name, *figures = line.split()
        by_table[name].append([float(figure) for figure in figures])
    print("| table | training rows, test rows, features | Braid | MLPClassifier | LogisticRegression | within one point |")
    print("|---|---|---|---|---|---|")
    within = 0
    for name, figures in by_table.items():
        train, test, features, braid, mlp, logistic = numpy.mean(figures, axis=0)
        near = braid >= max(mlp, logistic) - 0.01
        within += near
        print(
            f"| {name} | {train:.0f}, {test:.0f}, {features:.0f} | {100 * braid:.1f} | {100 * mlp:.1f} "
            f"| {100 * logistic:.1f} | {'yes' if near else 'no'} |"
        )
    print(f"\nBraid is within one point of both, or better, on {within} of {len(by_table)} tables.")


if __name__ == "__main__":
    {"write": write, "split": split, "compare": compare, "summary": summary}[sys.argv[1]](*sys.argv[2:])
