import type { Plan } from '../../model/plan.ts'
import { planGraph } from './plan-edges.ts'
import { printable } from '../text/printable.ts'

/** The plan for Graphviz; the critical path is drawn bold. */
export function planDot(plan: Plan): string {
  const { jobs, gates, edges } = planGraph(plan)
  const critical = new Set(plan.critical_path)
  return [
    `digraph ${quoted(plan.name)} {`,
    '  rankdir=LR',
    '  node [shape=box]',
    ...jobs.map((name, index) => {
      const bold = critical.has(name) ? ', style=bold' : ''
      return `  job${index} [label=${quoted(name)}${bold}]`
    }),
    ...Array.from({ length: gates }, (_, gate) => `  gate${gate} [shape=point]`),
    ...edges.map(([from, to]) => `  ${from} -> ${to}`),
    '}',
    '',
  ].join('\n')
}

const quoted = (text: string): string =>
  `"${printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
