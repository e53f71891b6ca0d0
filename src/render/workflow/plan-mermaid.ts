import type { Plan } from '../../model/plan.ts'
import { planGraph } from './plan-edges.ts'
import { printable } from '../text/printable.ts'

/** The plan for Mermaid, which GitHub and many editors draw; the critical path is drawn bold. */
export function planMermaid(plan: Plan): string {
  const { jobs, gates, edges } = planGraph(plan)
  const critical = new Set(plan.critical_path)
  const bold = jobs.flatMap((name, index) => (critical.has(name) ? [`job${index}`] : []))
  return [
    'flowchart LR',
    ...jobs.map((name, index) => `  job${index}["${escaped(name)}"]`),
    ...Array.from({ length: gates }, (_, gate) => `  gate${gate}(( ))`),
    ...edges.map(([from, to]) => `  ${from} --> ${to}`),
    ...(bold.length === 0
      ? []
      : ['  classDef critical stroke-width:3px', `  class ${bold.join(',')} critical`]),
    '',
  ].join('\n')
}

/** Mermaid knows entities by number; quotes, brackets and markup would end or change the label. */
const escaped = (text: string): string =>
  printable(text).replaceAll(/[^\w .,:/@+-]/gu, (letter) => `#${letter.codePointAt(0)};`)
