import { declared, type ColourName } from '../../render/palette.ts'

const used: readonly ColourName[] = [
  'ink',
  'quiet',
  'paper',
  'card',
  'edge',
  'row',
  'accent',
  'good',
]

/** The style sheet of the readable page, in the colours of all other pages. */
export const pageStyle = `:root { ${declared(used, 'light')} }
@media (prefers-color-scheme: dark) { :root { ${declared(used, 'dark')} } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
header, main { max-width: 68rem; margin: 0 auto; padding: 1rem 1.25rem }
h1 { font-size: 1.6rem; margin: .5rem 0 }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem }
h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere }
a { color: var(--accent) }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0 }
article { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; margin: .75rem 0; padding: 1rem; overflow-x: auto }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { background: var(--row); border-radius: 6px; margin: .75rem 0 0; padding: .6rem .8rem; overflow-x: auto }
.method { color: var(--accent); font: 600 .875rem ui-monospace, monospace }
.method.post { color: var(--good) }
.label { color: var(--quiet); margin: .75rem 0 .25rem }
table { border-collapse: collapse; width: 100% }
th, td { border-top: 1px solid var(--edge); padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; font-weight: 400 }
thead th { border-top: 0; color: var(--quiet) }
small { color: var(--quiet) }
.answers { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0 }
.answers dt { color: var(--quiet) }
.answers dd { margin: 0 }
@media print { article { break-inside: avoid } }
`
