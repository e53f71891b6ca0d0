/** How the parts look that reports and the dashboard draw alike: tables, tiles, badges, choices and small charts. */
export const partsStyle = `
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.6rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1 { margin: 0.1rem 0 0.7rem; font-size: 1.9rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { margin: 0 0 0.2rem; font-size: 1.18rem; font-weight: 620; letter-spacing: -0.01em; }
h3 { margin: 1.6rem 0 0.5rem; font-size: 0.95rem; font-weight: 600; }
h3 small { margin-left: 0.7rem; }
small { font-size: 0.82rem; font-weight: 400; color: var(--quiet); }
.note { margin: 0 0 1rem; color: var(--quiet); max-width: 62ch; }
.quiet, .none { color: var(--quiet); }
button {
  font: inherit; font-size: 0.88rem; color: var(--ink); background: var(--card); border: 1px solid var(--edge);
  border-radius: 6px; padding: 0.32rem 0.85rem; cursor: pointer;
}
button:hover { border-color: var(--quiet); }
.tiles { list-style: none; margin: 0.9rem 0 1.2rem; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: 0.8rem; }
.tiles li { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 0.9rem 1.1rem 1rem; display: flex; flex-direction: column; min-width: 0; }
.tiles .label, .tiles .under { color: var(--quiet); font-size: 0.84rem; overflow-wrap: anywhere; }
.tiles strong { font-size: 1.45rem; font-weight: 620; letter-spacing: -0.02em; margin: 0.15rem 0 0.1rem; overflow-wrap: anywhere; }
.tiles strong small { font-size: 0.66em; font-weight: 560; letter-spacing: 0; }
.tiles .figure { display: inline-block; }
.tiles .good strong { color: var(--good); }
.tiles .warn strong { color: var(--warn); }
.tiles .bad strong { color: var(--bad); }
.bound { margin: 0 0 1rem; }
.states { display: flex; height: 0.55rem; border-radius: 4px; overflow: hidden; gap: 2px; }
.states span, .key li::before { background: var(--wait); }
.states .success, .key .success::before { background: var(--green-fill); }
.states .failed, .key .failed::before, .states .error, .key .error::before { background: var(--red-fill); }
.states .timeout, .key .timeout::before, .states .interrupted, .key .interrupted::before, .states .cancelled, .key .cancelled::before { background: var(--amber-fill); }
.states .running, .key .running::before, #timeline .key .success::before { background: var(--bar); }
.key .critical::before { background: var(--accent); }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; margin: 0.55rem 0 0; padding: 0; font-size: 0.86rem; color: var(--quiet); }
.key li::before { content: ''; display: inline-block; width: 0.65rem; height: 0.65rem; border-radius: 2px; margin-right: 0.4rem; }
.scroll { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: 0.45rem 0.7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--grid); }
tbody tr:last-child > * { border-bottom: 0; }
tbody :is(th, td) { overflow-wrap: anywhere; }
tbody th { font-weight: 500; }
thead th { position: sticky; top: 0; z-index: 1; background: var(--card); color: var(--quiet); font-weight: 500; font-size: 0.82rem; white-space: nowrap; box-shadow: 0 1px var(--edge); }
thead button { border: 0; background: none; padding: 0; color: inherit; font-size: inherit; font-weight: inherit; text-align: inherit; }
thead th:first-child { border-top-left-radius: 9px; }
thead th:last-child { border-top-right-radius: 9px; }
thead button:hover { color: var(--ink); }
th[aria-sort=ascending] button, th[aria-sort=descending] button { color: var(--ink); font-weight: 600; }
th[aria-sort=ascending] button::after { content: ' ↑'; }
th[aria-sort=descending] button::after { content: ' ↓'; }
.figure { text-align: right; white-space: nowrap; }
.job { min-width: 11rem; }
.scroll.jobs table { font-size: 0.85rem; }
.scroll.jobs :is(th, td) { padding-inline: 0.5rem; }
.job small { display: block; line-height: 1.3; }
.over { color: var(--bad); font-weight: 600; }
.share { display: inline-block; min-width: 3.4rem; padding-bottom: 2px; background: linear-gradient(var(--bar), var(--bar)) left bottom / var(--part) 3px no-repeat, linear-gradient(var(--grid), var(--grid)) left bottom / 100% 3px no-repeat; }
.share.over { background-image: linear-gradient(var(--red-fill), var(--red-fill)), linear-gradient(var(--grid), var(--grid)); }
.badge { font-size: 0.82rem; font-weight: 550; color: var(--quiet); white-space: nowrap; }
.badge.success { color: var(--good); }
.badge.failed, .badge.error { color: var(--bad); }
.badge.timeout, .badge.interrupted, .badge.cancelled, .badge.warned { color: var(--warn); }
.badge.running { color: var(--accent); }
.more { margin-top: 0.7rem; }
.filter { display: flex; flex-wrap: wrap; gap: 0.6rem 0.7rem; align-items: center; margin: 0.6rem 0 0.9rem; font-size: 0.9rem; }
.filter label { color: var(--quiet); }
.filter .check { display: inline-flex; gap: 0.4rem; align-items: center; color: var(--ink); margin-left: 0.5rem; }
.filter output { margin-left: auto; color: var(--quiet); }
input[type=search], select { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 6px; padding: 0.35rem 0.7rem; }
input[type=search] { width: 17rem; max-width: 100%; }
::placeholder { color: var(--quiet); opacity: 1; }
.choices { display: flex; flex-wrap: wrap; gap: 0.8rem 1.4rem; margin-bottom: 1rem; }
.choice { border: 0; margin: 0; padding: 0; display: flex; }
.choice legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.choice label { position: relative; font-size: 0.88rem; cursor: pointer; }
.choice input { position: absolute; opacity: 0; inset: 0; margin: 0; cursor: pointer; }
.choice span { display: block; padding: 0.3rem 0.85rem; border: 1px solid var(--edge); margin-left: -1px; background: var(--card); color: var(--quiet); }
.choice label:nth-of-type(1) span { border-radius: 6px 0 0 6px; margin-left: 0; }
.choice label:last-child span { border-radius: 0 6px 6px 0; }
.choice input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--paper); }
.choice input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }
svg { display: block; max-width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--ink); font-family: inherit; }
svg .tick { fill: var(--quiet); font-size: 11.5px; }
svg .strong { font-weight: 620; }
svg .grid { stroke: var(--grid); fill: none; shape-rendering: crispEdges; }
svg .row { fill: transparent; }
svg g:hover > .row { fill: var(--row); }
svg .ran { fill: var(--bar); }
svg .failed { fill: var(--red-fill); }
svg rect.running { fill: var(--bar); stroke: var(--accent); stroke-width: 1.2; }
#timeline .key .running::before { background: var(--bar); outline: 1.5px solid var(--accent); outline-offset: -1px; }
svg .critical { fill: var(--accent); }
svg .wait { fill: var(--wait); }
.dense .wait { opacity: 0.45; }
.dense .ran { fill: color-mix(in srgb, var(--bar), var(--accent) 40%); }
svg .asked { stroke: var(--ink); stroke-width: 1.4; fill: none; }
svg .request { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 5 4; fill: none; }
svg .break path { stroke: var(--quiet); stroke-dasharray: 2 3; fill: none; }
svg .whisker { stroke: var(--quiet); fill: none; }
svg .box { fill: var(--bar); }
svg .median { stroke: var(--ink); stroke-width: 2; fill: none; }
svg .outlier { fill: var(--quiet); }
svg .line { stroke: var(--accent); stroke-width: 1.6; fill: none; stroke-linejoin: round; }
svg .area { fill: var(--accent); opacity: 0.13; }
.spark path { stroke: var(--quiet); stroke-width: 1.3; fill: none; }
.axis { margin-top: 0.9rem; padding: 0 0.8rem; }
.gantt, .bars, .boxes { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 0.7rem 0.8rem; }
.close .name { font-size: 10px; }
[hidden] { display: none !important; }
.reasons { font-size: 0.88rem; }
.reasons dt { font-weight: 500; }
.reasons dd { margin: 0.1rem 0 0.8rem; color: var(--quiet); }
.ways { margin: 0; padding: 0; list-style: none; }
.ways small { margin-left: 0.6rem; white-space: nowrap; }
#tip {
  position: fixed; z-index: 9; pointer-events: none; max-width: 24rem; background: var(--ink); color: var(--paper); border-radius: 6px;
  padding: 0.4rem 0.7rem; font-size: 0.84rem; line-height: 1.4; overflow-wrap: anywhere;
}
#tip > * { display: block; font-weight: 400; }
#tip strong { font-weight: 620; }
/* Less than any screen that is not held in a hand. */
@media (max-width: 60rem) {
  .scroll { overflow-x: auto; }
  .scroll:not(.jobs) tbody th { min-width: 7rem; }
  .scroll:not(.jobs) tbody td { min-width: 5rem; }
}
/* A telephone: a line of a table becomes a card, each of its figures with its name before it; lines of many jobs do not. */
@media screen and (max-width: 44rem) {
  .scroll:is(:not(.jobs), .one) :is(table, tbody, tr) { display: block; }
  .scroll:is(:not(.jobs), .one) thead { display: none; }
  .scroll:is(:not(.jobs), .one) tr { padding: 0.55rem 0.8rem; border-bottom: 1px solid var(--grid); }
  .scroll:is(:not(.jobs), .one) tbody tr:last-child { border-bottom: 0; }
  .scroll:is(:not(.jobs), .one) tbody :is(th, td) { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.7rem; padding: 0.1rem 0; border: 0; text-align: left; white-space: normal; }
  .scroll:is(:not(.jobs), .one) tbody :is(th, td)::before { content: attr(data-label); color: var(--quiet); font-weight: 400; }
  .scroll:is(:not(.jobs), .one) tbody :is(th, td) > * { justify-self: start; }
  .ways small { white-space: normal; }
}
`
