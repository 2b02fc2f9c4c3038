# SPDX-License-Identifier: MIT
"""Pictures of the system benchmarks, drawn by gnuplot: percentile curves, figures against the number of clients or
sessions, and memory over time."""

import shutil
import subprocess
from pathlib import Path

SIZE = "860,480"
# Ours in two strong colours, the floor grey, rivals warm; the same in all pictures.
COLOURS = {"raw": ("#9a9a9a", "#606060"), "affix": ("#0b62a4", "#3fa7d6", "#17806d", "#7b4fa3", "#1c3f60"),
           "quickfix": ("#d1495b", "#edae49", "#8f2d56")}


def available():
    return shutil.which("gnuplot") is not None


def styles(names):
    """A colour of its family for each name."""
    used = {family: 0 for family in COLOURS}
    chosen = []
    for name in names:
        family = name.split("_")[0] if name.split("_")[0] in COLOURS else "affix"
        palette = COLOURS[family]
        chosen.append(palette[used[family] % len(palette)])
        used[family] += 1
    return chosen


def quoted(text):
    """As gnuplot takes a string that is not to be looked into."""
    return "'" + str(text).replace("'", "''") + "'"


def draw(svg, title, settings, data, form="lines lw 2"):
    """`data`: lists of (name, [(x, y)...]). `form`: how gnuplot draws a series. Fails when gnuplot does."""
    lines = [f"set terminal svg size {SIZE} font 'sans-serif,12' background '#ffffff'", f"set output {quoted(svg)}",
             f"set title {quoted(title)} noenhanced", "set key outside right top noenhanced", "set grid", "set border 3",
             "set tics nomirror", *settings]
    plots = [f"$data{at} using 1:2 with {form} lc rgb '{colour}' title {quoted(name)}"
             for at, ((name, _), colour) in enumerate(zip(data, styles([name for name, _ in data])))]
    blocks = []
    for at, (_, points) in enumerate(data):
        blocks += [f"$data{at} << EOD", *(f"{x} {y}" for x, y in points), "EOD"]
    script = "\n".join([*blocks, *lines, "plot " + ", ".join(plots), ""])
    subprocess.run(["gnuplot", "-"], input=script, text=True, check=True, capture_output=True)
    # Tabs and blanks at the ends of lines, which gnuplot writes, mean nothing in SVG.
    lines = Path(svg).read_text(encoding="utf-8").splitlines()
    Path(svg).write_text("".join(line.replace("\t", " ").rstrip() + "\n" for line in lines), encoding="utf-8")


def percentile_curves(svg, title, curves):
    """`curves`: name -> [(fraction, ns)...]. The axis is 1/(1 - fraction), so that each nine has the same room."""
    data = [(name, [(1 / (1 - fraction), ns / 1e3) for fraction, ns in points if fraction < 1])
            for name, points in curves.items()]
    settings = ["set logscale xy", "set xlabel 'percentile'", "set ylabel 'microseconds'",
                "set xtics ('0' 1, '50' 2, '90' 10, '99' 100, '99.9' 1000, '99.99' 10000, '99.999' 100000)"]
    draw(svg, title, settings, data)


def against(svg, title, across, label, series):
    """`series`: name -> [(x, y)...], x and y above 0. `across`: what x counts."""
    settings = ["set logscale x 2", f"set xlabel {quoted(across)}", f"set ylabel {quoted(label)} noenhanced", "set logscale y"]
    draw(svg, title, settings, list(series.items()), "linespoints lw 2 ps 0.4 pt 7")


def over_time(svg, title, label, series):
    """`series`: name -> [(seconds, y)...]."""
    draw(svg, title, ["set xlabel 'seconds'", f"set ylabel {quoted(label)} noenhanced", "set yrange [0:*]"],
         list(series.items()))
