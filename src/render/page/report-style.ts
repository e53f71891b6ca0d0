import { declared, palette, type ColourName } from '../palette.ts'
import { partsStyle } from './parts-style.ts'

const colours: readonly ColourName[] = [
  'paper',
  'card',
  'ink',
  'quiet',
  'edge',
  'grid',
  'row',
  'accent',
  'memory',
  'bar',
  'wait',
  'good',
  'bad',
  'warn',
  'green-fill',
  'red-fill',
  'amber-fill',
]
const light = declared(colours, 'light')
const dark = declared(colours, 'dark')

/** Quiet colours, figures that line up, and one page that works on paper too. */
export const reportStyle = `
:root { color-scheme: light; ${light} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; ${dark} } }
:root[data-theme=dark] { color-scheme: dark; ${dark} }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body {
  margin: 0 auto; max-width: 84rem; padding: 2.6rem clamp(1rem, 4vw, 3rem) 3rem; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; font-variant-numeric: tabular-nums;
}
header { display: flex; justify-content: space-between; gap: 2rem; align-items: start; }
.kind { margin: 0; color: var(--quiet); font-size: 0.82rem; letter-spacing: 0.02em; }
#facts { display: flex; flex-wrap: wrap; gap: 0.3rem 1.6rem; margin: 0; font-size: 0.9rem; }
#facts div { display: flex; gap: 0.45rem; min-width: 0; }
#facts dt { color: var(--quiet); flex: none; }
#facts dd { margin: 0; overflow-wrap: anywhere; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin: 1.6rem 0 0; padding: 0 0 0.9rem; border-bottom: 1px solid var(--edge); font-size: 0.9rem; }
nav a { color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--ink); text-decoration: underline; }
main:focus { outline: none; }
section { margin-top: 2.8rem; scroll-margin-top: 1rem; }
${partsStyle}
footer { margin-top: 3rem; color: var(--quiet); font-size: 0.85rem; border-top: 1px solid var(--edge); }
@media (max-width: 80rem) {
  .scroll.jobs .shape { display: none; }
  .scroll.jobs thead th { white-space: normal; vertical-align: bottom; }
  .scroll.jobs :is(th, td) { padding-inline: 0.35rem; }
  .scroll.jobs .job { min-width: 7rem; }
}
/*
 * Here the table of several jobs scrolls anyway: names need not break, and headings that wrapped out of sight would leave an
 * empty band over the others. A shade at an edge shows that there is more.
 */
@media screen and (max-width: 60rem) {
  .scroll.jobs:not(.one) {
    background:
      linear-gradient(to right, var(--card) 40%, transparent) left / 3rem 100% no-repeat local,
      linear-gradient(to left, var(--card) 40%, transparent) right / 3rem 100% no-repeat local,
      linear-gradient(to right, var(--wait), transparent) left / 0.8rem 100% no-repeat,
      linear-gradient(to left, var(--wait), transparent) right / 0.8rem 100% no-repeat,
      var(--card);
  }
  .scroll.jobs:not(.one) table { width: max-content; min-width: 100%; }
  .scroll.jobs:not(.one) .job { max-width: 20rem; }
  .scroll.jobs thead th { white-space: nowrap; }
}
@media screen and (max-width: 44rem) { .scroll.jobs:not(.one) .job { max-width: 11rem; } }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root, :root[data-theme=dark], :root:not([data-theme=light]) { color-scheme: light; ${light} --paper: ${palette.card.light}; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav, #theme, .filter, .choices, .more, .skip, #tip { display: none !important; }
  .scroll { overflow: visible; }
  .gantt, .bars, .boxes, .tiles li, .scroll { border-color: var(--wait); border-radius: 0; }
  thead th { position: static; }
  table { font-size: 8pt; }
  th, td { padding: 0.2rem 0.35rem; }
  .shape { display: none; }
  .job { min-width: 0; }
  h2, h3 { break-after: avoid; }
  tr, .tiles li, .bars { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
