# SPDX-License-Identifier: BSD-2-Clause
"""Writes a picture of costs by stage: a bar for each hit, a piece of the bar for each function on its way."""
import html

COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f")
LEFT, WIDTH, BAR, GAP, TEXT = 260, 1100, 22, 12, 11
LABEL_MIN = 60  # of a piece that has its name in it


def picture(bars):
    """bars: [(title, [(stage, instructions)])] in the order of the picture."""
    most = max((sum(count for _, count in stages) for _, stages in bars), default=1)
    names = list(dict.fromkeys(stage for _, stages in bars for stage, _ in stages))
    colour = {name: COLOURS[n % len(COLOURS)] for n, name in enumerate(names)}
    scale = (WIDTH - LEFT - 60) / most
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{GAP + len(bars) * (BAR + GAP)}" '
           f'font-family="sans-serif" font-size="{TEXT}">']
    for row, (title, stages) in enumerate(bars):
        x, y = float(LEFT), GAP + row * (BAR + GAP)
        middle = y + BAR / 2 + TEXT / 3
        out.append(f'<text x="{LEFT - 8}" y="{middle:.0f}" text-anchor="end">{html.escape(title)}</text>')
        for stage, count in stages:
            wide = count * scale
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{BAR}" fill="{colour[stage]}">'
                       f'<title>{html.escape(stage)}: {count}</title></rect>')
            if wide >= LABEL_MIN:
                shown = html.escape(f"{stage} {count}"[:int(wide / 6)])
                out.append(f'<text x="{x + 3:.1f}" y="{middle:.0f}" fill="white" pointer-events="none">{shown}</text>')
            x += wide
        out.append(f'<text x="{x + 5:.1f}" y="{middle:.0f}">{sum(count for _, count in stages)}</text>')
    return "\n".join([*out, "</svg>", ""])


def write(path, bars):
    """Write the picture, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(picture(sorted(bars)), encoding="utf-8")
