"""How the report looks: light and dark, wide and narrow, on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --line: #d5dae0; --soft: #f3f5f7;
  --good: #0b6b3a; --odd: #8a5a00; --own: #0b4f8a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --paper: #14171b; --line: #363c44; --soft: #1d2227;
  --good: #6fcf97; --odd: #f2c26b; --own: #8ec3f2; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .2rem; border-top: 2px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
a { color: var(--own); }
p { max-width: 46rem; margin: .4rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { font-weight: 600; }
.rows th:nth-child(1), .rows td:nth-child(1) { width: 11%; }
.rows th:nth-child(2), .rows td:nth-child(2) { width: 22%; }
.rows th:nth-child(3), .rows td:nth-child(3) { width: 15%; }
.rows th:nth-child(5), .rows td:nth-child(5) { width: 24%; }
.rows th:nth-child(6), .rows td:nth-child(6) { width: 4rem; text-align: right; padding-right: 0; white-space: nowrap; }
.summary { max-width: 58rem; margin-top: 1rem; }
.scroll { overflow-x: auto; }
.scroll table { width: auto; min-width: 20rem; }
.scroll td, .scroll th { overflow-wrap: normal; white-space: nowrap; padding-right: 1.2rem; }
.good { color: var(--good); } .odd { color: var(--odd); } .own { color: var(--own); }
.bad { color: var(--bad); font-weight: 700; }
.note { display: block; color: var(--ink); opacity: .8; font-size: .8125rem; }
code { font: .8125rem/1.4 ui-monospace, monospace; background: var(--soft); padding: .1rem .3rem; border-radius: .2rem;
  overflow-wrap: anywhere; }
.rolls { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: .6rem 1.2rem;
  align-items: start; }
.roll { break-inside: avoid; border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .6rem .4rem; }
.roll table { font-size: .8125rem; table-layout: fixed; } .roll p { margin: 0; } .roll tr:last-child td { border: 0; }
.roll th { font-weight: 400; opacity: .8; } .roll th, .roll td { padding: .1rem .3rem .1rem 0; white-space: nowrap; }
.roll .best td:nth-child(-n + 2) { font-weight: 700; }
h4 { font-size: .875rem; margin: 1.1rem 0 .4rem; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
figure { margin: 0; break-inside: avoid; }
figure img { width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: .3rem; }
figcaption { font-size: .8125rem; opacity: .85; }
@media (max-width: 44rem) {
  .rows, .rows tbody, .rows tr, .rows td { display: block; width: auto !important; }
  .rows thead { display: none; }
  .rows tr { border: 1px solid var(--line); border-radius: .4rem; margin: 0 0 .6rem; padding: .4rem .7rem;
    position: relative; }
  .rows td { border: 0; padding: .05rem 0; text-align: left !important; }
  .rows td[data-label]::before { content: attr(data-label) " "; opacity: .7; }
  .rows td:nth-child(2) { font-weight: 600; }
  .rows td:nth-child(3), .rows td:nth-child(4) { display: inline; margin-right: .8rem; }
  .rows td:nth-child(1), .rows td:nth-child(6) { font-size: .8125rem; opacity: .8; padding-right: 7rem; }
  .rows td:nth-child(6) { position: absolute; top: .4rem; right: .7rem; padding: 0; }
  .rows code { font-weight: 400; }
  .summary th, .summary td { padding-right: .3rem; overflow-wrap: normal; vertical-align: bottom; }
  .summary th + th { writing-mode: vertical-rl; padding: 0 0 .3rem; text-align: right; }
}
@media print {
  :root { --ink: #000; --paper: #fff; --line: #bbb; --soft: #f3f5f7; --good: #064; --odd: #630; --own: #036; }
  body { font-size: 10pt; max-width: none; padding: 0; } tr { break-inside: avoid; }
  table { font-size: 8pt; } .note { font-size: 7.5pt; }
}
"""
