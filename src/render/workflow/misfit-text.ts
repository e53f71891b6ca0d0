import type { Misfit } from '../../model/plan.ts'
import { formatBytes } from '../units/figures.ts'
import { printable } from '../text/printable.ts'

/** More lines than this nobody reads. */
const mostLines = 10

/** A line for each request that can never be met, and how many more there are. */
export function misfitLines(misfits: readonly Misfit[]): readonly string[] {
  const lines = misfits.slice(0, mostLines).map((each) => `  ${misfitText(each)}`)
  const left = misfits.length - lines.length
  return left > 0 ? [...lines, `  … and ${left} more such requests`] : lines
}

function misfitText({ job, resource, requested, available }: Misfit): string {
  const [asked, may] = [requested, available].map((amount) => amountText(resource, amount))
  const of = resource === 'memory_bytes' ? ' of memory' : unitText(resource, requested)
  return `${printable(job)} asks for ${asked}${of}, but the runner may use ${may}`
}

const amountText = (resource: Misfit['resource'], amount: number): string =>
  resource === 'memory_bytes' ? formatBytes(amount) : String(amount)

const unitText = (resource: 'cpus' | 'gpus', amount: number): string =>
  ` ${resource === 'cpus' ? 'CPU' : 'GPU'}${amount === 1 ? '' : 's'}`
