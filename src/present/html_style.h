// The style sheet of the page. The colours of the series are grey and those of Okabe and Ito, which
// people with any colour vision can tell apart; every point is labelled as well.
#pragma once

#include <string_view>

namespace autoschedule_gpu {

inline constexpr std::string_view kHtmlStyle = R"(
:root {
    color-scheme: light dark;
    --back: #ffffff; --text: #1c1e22; --muted: #5a5f68; --line: #d4d8de;
    --best: #e2f2ea; --failed: #fbe8e0;
    --registers: #e2f2ea; --shared: #e3eefb; --global: #f0f1f3;
}
@media (prefers-color-scheme: dark) {
    :root {
        --back: #15171b; --text: #e6e8ec; --muted: #a0a6b0; --line: #383d46;
        --best: #17392b; --failed: #44261c;
        --registers: #17392b; --shared: #1b3350; --global: #262a31;
    }
}
body { margin: 0 auto; padding: 1.5rem; max-width: 96rem; background: var(--back);
    color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 0.4rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 0.3rem; }
p { max-width: 60rem; margin: 0.3rem 0; }
a { color: inherit; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; }
dt { color: var(--muted); }
dd { margin: 0; }
small, .legend { color: var(--muted); font-size: 0.8rem; font-weight: normal; }
.scroll { overflow-x: auto; background:
    linear-gradient(to right, var(--back) 40%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(to left, var(--back) 40%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to right, var(--muted), transparent) left / 0.4rem 100% no-repeat scroll,
    linear-gradient(to left, var(--muted), transparent) right / 0.4rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { text-align: left; padding: 0.15rem 0.35rem; border-bottom: 1px solid var(--line);
    vertical-align: top; font-weight: normal; }
thead th { font-weight: 600; vertical-align: bottom; }
th.section { font-weight: 600; padding-top: 0.9rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
td.number small { display: block; }
td.best { background: var(--best); }
tr.failed, td.failed { background: var(--failed); }
th[scope="row"], thead th:first-child { position: sticky; left: 0; background: var(--back); }
tr.failed th { background: var(--failed); }
td.note { color: var(--muted); padding-left: 2rem; overflow-wrap: anywhere; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; }
figure { margin: 0.8rem 0; }
figcaption { font-weight: 600; }
svg { max-width: 100%; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--text); }
svg .tick { fill: var(--muted); }
svg .label { font-weight: 600; }
.grid { stroke: var(--line); stroke-width: 1; }
.roof { stroke: var(--text); stroke-width: 1.5; }
.ceiling { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 5 4; }
.point { pointer-events: all; }
.row { stroke: var(--line); stroke-width: 1; stroke-dasharray: 1 3; }
.axis { stroke: var(--muted); stroke-width: 1; }
.point, .swatch { stroke: var(--muted); stroke-width: 0.5; }
ul.series { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; }
.series0 { --own: #0072b2; fill: #0072b2; }
.series1 { --own: #e69f00; fill: #e69f00; }
.series2 { --own: #009e73; fill: #009e73; }
.series3 { --own: #d55e00; fill: #d55e00; }
.series4 { --own: #cc79a7; fill: #cc79a7; }
.series5 { --own: #56b4e9; fill: #56b4e9; }
.series6 { --own: #f0e442; fill: #f0e442; }
.series7 { --own: #8c8c8c; fill: #8c8c8c; }
path.curve { fill: none; stroke: var(--own); stroke-width: 2; }
path.band { fill-opacity: 0.18; }
.graph svg { max-width: none; }
.box { fill: var(--back); stroke: var(--muted); stroke-width: 1; rx: 4px; }
.box.data { fill: var(--global); stroke-dasharray: 4 3; }
.box.host { fill: var(--failed); }
.mark { fill: #d55e00; }
.arrow { fill: none; stroke: var(--muted); stroke-opacity: 0.55; }
.arrow:hover { stroke: #d55e00; stroke-opacity: 1; }
.bars { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(3rem, 24rem) max-content;
    gap: 0.15rem 0.7rem; align-items: center; font-size: 0.85rem; margin: 0.4rem 0; }
.bar-row { display: contents; }
.bar-label { overflow-wrap: anywhere; }
.bar-row.strong .bar-label, .bar-row.strong .bar-text { font-weight: 600; }
.track { background: var(--global); height: 0.8rem; display: block; }
.track.meter { max-width: 24rem; margin: 0.2rem 0 0.5rem; }
.fill { background: #56b4e9; height: 100%; display: block; }
.bar-row.strong .fill { background: #d55e00; }
.bar-text { font-variant-numeric: tabular-nums; }
article.kernel { border-top: 1px solid var(--line); padding: 0.3rem 0 0.8rem; }
.loops { padding: 0.3rem 0.5rem; margin: 0.3rem 0; font-size: 0.85rem; max-width: 46rem;
    overflow-wrap: anywhere; }
.loops.blocks { border: 3px double var(--muted); }
.loops.threads { border: 1px dashed var(--muted); }
.loops.serial { border: 1px solid var(--line); }
.loops-head { color: var(--muted); }
.memory-registers { background: var(--registers); }
.memory-shared { background: var(--shared); }
.memory-global { background: var(--global); }
.key { padding: 0.05rem 0.4rem; }
.beside { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.beside > div { flex: 1 1 18rem; min-width: 0; }
a.term { text-decoration-style: dotted; }
details { font-size: 0.85rem; margin: 0.3rem 0; }
summary { cursor: pointer; }
:target { outline: 2px solid #56b4e9; outline-offset: 4px; }
@media (max-width: 40rem) {
    .bars { grid-template-columns: minmax(0, 1fr) max-content; }
    .bar-label { grid-column: 1 / -1; margin-top: 0.3rem; }
    dl { grid-template-columns: 1fr; }
    dt { margin-top: 0.3rem; }
    body { padding: 0.8rem; }
    .scroll td:not(.number) { min-width: 7rem; }
    th[scope="row"] { min-width: 7rem; max-width: 9rem; overflow-wrap: anywhere; }
}
@media print { .scroll { overflow: visible; } }
)";

}  // namespace autoschedule_gpu
