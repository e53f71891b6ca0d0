import { unsuccessful } from '../../model/outcome.ts'
import type { OptionTable } from './define.ts'

/** The options by which every command chooses jobs by how they stand or ended. */
export function statusFilter<const Status extends string>(statuses: readonly Status[]) {
  const status = {
    type: 'list',
    commas: true,
    choices: statuses,
    value: 'STATUS',
    example: 'failed,timeout',
    says: `only jobs with one of these statuses: ${statuses.join(', ')}`,
  } as const
  return {
    status,
    state: { ...status, says: 'the same as --status' },
    failed: { type: 'boolean', says: 'only jobs that ended without success' },
  } as const satisfies OptionTable
}

interface Asked {
  readonly status: readonly string[]
  readonly state: readonly string[]
  readonly failed: boolean
}

/** Those that were asked for, of those that there are; undefined where it does not matter. */
export function statusesAsked<Status extends string>(
  { status, state, failed }: Asked,
  statuses: readonly Status[],
): readonly Status[] | undefined {
  const asked = new Set<string>([...status, ...state, ...(failed ? unsuccessful : [])])
  return asked.size === 0 ? undefined : statuses.filter((each) => asked.has(each))
}
