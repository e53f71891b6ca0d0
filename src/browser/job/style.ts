/**
 * The style of the charts, in the colours that the page declares. A script may adopt it under a policy that allows no inline
 * style. `.u-…` are the parts that uPlot makes; what it is told not to make has no rule.
 */
const style = `
.job-charts { position: relative; outline-offset: 6px; }
.jc-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1rem; min-height: 2.1rem; font-size: 0.86rem; color: var(--quiet); }
.jc-time { min-width: 9.5rem; color: var(--ink); font-variant-numeric: tabular-nums; }
.jc-hint { margin-left: auto; }
.jc-reset { visibility: hidden; padding: 0.15rem 0.6rem; }
.jc-reset.is-zoomed { visibility: visible; }
.jc-phases { position: relative; height: 1.25rem; font-size: 0.74rem; color: var(--quiet); overflow: hidden; }
.jc-phases span { position: absolute; top: 0; padding: 0 0.3rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; border-left: 1px solid var(--edge); line-height: 1.25rem; }
.jc-chart { margin: 0 0 0.5rem; background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 0.5rem 0.6rem 0.15rem; break-inside: avoid; }
.jc-legend { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.1rem; margin: 0 0.2rem 0.1rem; font-size: 0.84rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.jc-legend h3 { margin: 0; min-width: 3.6rem; font-size: 0.92rem; color: var(--ink); }
.jc-key { display: inline-flex; white-space: nowrap; align-items: baseline; gap: 0.4rem; }
.jc-key i { align-self: center; width: 0.95rem; height: 0; border-top: 2.5px solid; border-radius: 2px; }
.jc-key.request i { height: 1.5px; border: 0; border-radius: 0; background: repeating-linear-gradient(90deg, var(--ink) 0 5px, transparent 5px 9px); }
.jc-key.limit i { border-top: 1.5px solid var(--ink); }
.jc-key b { font-weight: 550; color: var(--ink); min-width: 7.4rem; white-space: nowrap; }
.jc-samples { margin-left: auto; }
.jc-key.request b, .jc-key.limit b { min-width: 0; }
.jc-absent { margin: 0.6rem 0 0; padding: 0; list-style: none; font-size: 0.84rem; color: var(--quiet); }
.jc-figures { margin-top: 0.8rem; font-size: 0.9rem; }
.jc-figures summary { cursor: pointer; color: var(--quiet); margin-bottom: 0.5rem; }
.uplot, .uplot * { box-sizing: border-box; }
.u-wrap { position: relative; user-select: none; touch-action: pan-y; }
.u-over, .u-under, .u-axis, .u-select { position: absolute; }
.u-under { overflow: hidden; }
.uplot canvas { display: block; position: relative; width: 100%; height: 100%; }
.u-select { pointer-events: none; background: var(--accent); opacity: 0.16; }
.u-cursor-x { position: absolute; left: 0; top: 0; height: 100%; border-right: 1px solid var(--quiet); pointer-events: none; will-change: transform; }
.u-cursor-pt { position: absolute; left: 0; top: 0; border: 0 solid; border-radius: 50%; pointer-events: none; will-change: transform; background-clip: padding-box; }
.u-off { display: none; }
@media (max-width: 44rem) { .jc-hint { display: none; } .jc-chart { padding-inline: 0.2rem; } .jc-key b { min-width: 4.4rem; white-space: normal; } .jc-samples { margin-left: 0; } }
@media print { .jc-hint, .jc-reset, .jc-time { display: none !important; } .jc-chart { border-color: var(--wait); border-radius: 0; } }
`

let isAdopted = false

export function adoptChartStyle(): void {
  if (isAdopted) return
  isAdopted = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets.push(sheet)
}
