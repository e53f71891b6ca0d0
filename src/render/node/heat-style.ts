import { declared, type ColourName } from '../palette.ts'

const colours: readonly ColourName[] = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4', 'heat3-ink']
const light = declared(colours, 'light')
const dark = declared(colours, 'dark')

/**
 * A heat map, wherever it is drawn. It is one table: a grid lays it out with hours across, and on a telephone, where 24 columns
 * have no room for figures, with hours down.
 */
export const heatMapStyle = `
.map table { display: grid; grid-template-columns: 4.6rem repeat(24, minmax(0, 1fr)) 4.2rem; gap: 2px; font-size: 0.78rem; }
.map :is(thead, tbody, tr) { display: contents; }
.map :is(th, td) { border: 0; padding: 0; min-width: 0; height: 2.3rem; display: grid; place-items: center; border-radius: 3px; overflow-wrap: normal; }
.map thead th { position: static; height: 1.5rem; box-shadow: none; background: none; }
.map thead th:first-child { place-items: center start; }
.map thead th:last-child { place-items: center end; }
.map tbody th { place-items: center start; color: var(--quiet); font-weight: 500; }
.map td.mean { place-items: center end; color: var(--quiet); }
.map td[data-hour]:hover, .map td[data-hour]:focus { outline: 2px solid var(--ink); outline-offset: -1px; }
.s0 { background: var(--heat0); } .s1 { background: var(--heat1); } .s2 { background: var(--heat2); }
.s3 { background: var(--heat3); color: var(--heat3-ink); } .s4 { background: var(--heat4); color: var(--paper); }
.map td.unknown, .scale li.unknown::before { background: repeating-linear-gradient(135deg, transparent 0 4px, var(--wait) 4px 5px); }
.map td.unknown { color: var(--quiet); }
.scale, .scale ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1.1rem; margin: 0; padding: 0; list-style: none; }
.scale { margin-top: 0.7rem; font-size: 0.84rem; color: var(--quiet); }
.scale p { margin: 0 0 0 auto; }
.scale li { background: none; color: var(--quiet); display: flex; align-items: center; gap: 0.4rem; }
.scale li::before { content: ''; width: 1.1rem; height: 0.8rem; border-radius: 2px; border: 1px solid var(--edge); }
.scale .s0::before { background: var(--heat0); } .scale .s1::before { background: var(--heat1); } .scale .s2::before { background: var(--heat2); }
.scale .s3::before { background: var(--heat3); } .scale .s4::before { background: var(--heat4); }
@media screen and (max-width: 44rem) {
  .map table { grid-auto-flow: column; grid-template-columns: 3.2rem repeat(7, minmax(0, 1fr)); grid-template-rows: repeat(26, auto); }
  .map :is(th, td) { height: 1.7rem; font-size: 0.74rem; }
  .map :is(tbody th, thead th:first-child, thead th:last-child) { place-items: center; }
  .map td.mean { place-items: center; }
}
`

/** What the page of a heat map adds to that of reports. */
export const heatStyle = `
:root { ${light} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${dark} } }
:root[data-theme=dark] { ${dark} }
body.heat { padding-block: 1.4rem 0.6rem; }
.heat h1 { margin-bottom: 0.4rem; }
.heat section { margin-top: 1rem; }
.heat .filter { margin: 0.2rem 0 0.6rem; }
.heat select { max-width: 100%; }
.heat footer { margin-top: 0.9rem; }
.heat footer p { margin: 0.5rem 0 0; }
${heatMapStyle}.who table { font-size: 0.84rem; }
.who :is(th, td) { padding-block: 0.28rem; }
@media print {
  :root, :root[data-theme=dark], :root:not([data-theme=light]) { ${light} }
}
`
