#!/usr/bin/env python3
"""Evaluates the reference's weight function of every collation for every code point and prints the ranks as JSON.

Usage: collation_ranks.py PATH_OF_GO_MYSQL_SERVER > ranks.json   (needs Go; works in a temporary directory)

The form is that of the vectors file collation_ranks.json: {"collations": {name: [[first_code_point, rank, step]...]}}, where a rank is
the dense position of a weight in the collation's order and a run ends where the next begins.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

MAIN = """package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"ranks/encodings"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, c := range []struct {
		name   string
		weight func(rune) int32
	}{
%s	} {
		weights, seen := map[rune]int32{}, map[int32]bool{}
		for r := rune(0); r < 0x110000; r++ {
			if r < 0xD800 || r > 0xDFFF {
				weights[r] = c.weight(r)
				seen[weights[r]] = true
			}
		}
		order := make([]int32, 0, len(seen))
		for w := range seen {
			order = append(order, w)
		}
		sort.Slice(order, func(i, j int) bool { return order[i] < order[j] })
		rank := map[int32]int{}
		for i, w := range order {
			rank[w] = i
		}
		fmt.Fprint(out, c.name)
		for r := rune(0); r < 0x110000; r++ {
			if r < 0xD800 || r > 0xDFFF {
				fmt.Fprint(out, " ", rank[weights[r]])
			}
		}
		fmt.Fprintln(out)
	}
}
"""


def runs(ranks):
    """Ranks of all code points but surrogates to runs of step 0 or 1."""
    result = []
    last, count, step = None, 0, 0
    for at, rank in enumerate(ranks):
        code_point = at if at < 0xD800 else at + 0x800
        if count == 1 and code_point != 0xE000 and rank - last in (0, 1):
            step = rank - last
            result[-1][2] = step
            count = 2
        elif count > 1 and code_point != 0xE000 and rank == last + step:
            count += 1
        else:
            result.append([code_point, rank, 0])
            count, step = 1, 0
        last = rank
    return result


def main():
    source = os.path.join(sys.argv[1], "sql", "encodings")
    with tempfile.TemporaryDirectory() as work:
        target = os.path.join(work, "encodings")
        os.mkdir(target)
        names = set()
        for path in glob.glob(os.path.join(source, "*")):
            if path.endswith((".go", ".bin")) and not path.endswith("_test.go"):
                shutil.copy(path, target)
                if path.endswith(".go"):
                    names.update(re.findall(r"func ([A-Z]\w*)_RuneWeight", open(path).read()))
        entries = "".join(f'\t\t{{"{n.lower()}", encodings.{n}_RuneWeight}},\n' for n in sorted(names))
        open(os.path.join(work, "main.go"), "w").write(MAIN % entries)
        open(os.path.join(work, "go.mod"), "w").write("module ranks\n\ngo 1.23\n")
        answer = subprocess.run(["go", "run", "."], cwd=work, check=True, capture_output=True, text=True).stdout
    collations = {}
    for line in answer.splitlines():
        name, *ranks = line.split(" ")
        collations[name] = runs(list(map(int, ranks)))
    json.dump({"collations": collations}, sys.stdout, separators=(",", ":"))


main()
