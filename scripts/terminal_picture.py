#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes an SVG of what a command printed: COMMAND | terminal_picture.py 'COMMAND AS SHOWN' [COLUMNS] >picture.svg.

The pictures of the documents are made with it from real output, for example docs/images/top.svg, while `./dev demo` ran:
affix top exchange.counters --once | scripts/terminal_picture.py 'affix top exchange.counters' 112
"""

import sys
from xml.sax.saxutils import escape

CHARACTER_WIDTH, LINE_HEIGHT, MARGIN, BAR = 7.8, 18, 16, 28
BACKGROUND, BAR_COLOUR, TEXT, PROMPT = "#1e2430", "#2b3242", "#d7dce5", "#8fbcbb"
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def main():
    command = sys.argv[1]
    columns = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    lines = [line.rstrip("\n")[:columns].rstrip() for line in sys.stdin]
    width = 2 * MARGIN + columns * CHARACTER_WIDTH
    height = BAR + 2 * MARGIN + (len(lines) + 1) * LINE_HEIGHT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">',
           f"<title>{escape(command)}</title>",
           f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
           f'<path d="M0 8a8 8 0 0 1 8-8h{width - 16:.0f}a8 8 0 0 1 8 8v{BAR - 8}H0z" fill="{BAR_COLOUR}"/>']
    for at, colour in enumerate(("#bf616a", "#ebcb8b", "#a3be8c")):
        out.append(f'<circle cx="{MARGIN + at * 18}" cy="{BAR / 2:.0f}" r="5" fill="{colour}"/>')
    out.append(f'<g font-family="{FONT}" font-size="13" fill="{TEXT}">')
    for number, line in enumerate(["$ " + command, *lines]):
        colour = f' fill="{PROMPT}"' if number == 0 else ""
        # The width is fixed, so that columns stand under one another whatever the reader's font.
        length = f' textLength="{len(line) * CHARACTER_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"' if line else ""
        out.append(f'<text x="{MARGIN}" y="{BAR + MARGIN + number * LINE_HEIGHT + 12}"{length}{colour}>'
                   f'{escape(line).replace(" ", "&#160;")}</text>')
    out += ["</g>", "</svg>"]
    print("\n".join(out))


if __name__ == "__main__":
    main()
