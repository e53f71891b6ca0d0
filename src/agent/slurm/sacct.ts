import { SlurmTable } from '../../slurm/table.ts'
import { slurmCount, slurmText } from '../../slurm/values.ts'
import { isJobNumber } from './job-number.ts'
import { slurmReservation } from './slurm-reservation.ts'
import type { SlurmWord } from './slurm-word.ts'

/** None of them is text that users choose: see `squeue.ts`. */
const fields = ['JobIDRaw', 'JobID', 'UID', 'Account', 'TimelimitRaw', 'AllocTRES'] as const

/** Asks about jobs that only the accounting still knows: without their steps, and only about the last run of each. */
export const sacctCommand = (ids: readonly string[]): readonly [string, ...string[]] => [
  'sacct',
  '--allocations',
  '--parsable2',
  '--allusers',
  `--jobs=${ids.join(',')}`,
  `--format=${fields.join(',')}`,
]

/** Each line is a job; lines that are not as they were asked for are passed over. */
export function parseSacctAllocations(text: string): SlurmWord[] {
  const [heading = '', ...lines] = text.split('\n')
  const table = new SlurmTable(heading)
  return lines.flatMap((line) => {
    const row = table.row(line)
    return typeof row === 'number'
      ? []
      : (wordOf((name) => row.get(name.toLowerCase()) ?? '') ?? [])
  })
}

function wordOf(cell: (name: (typeof fields)[number]) => string): SlurmWord | undefined {
  const id = cell('JobIDRaw')
  const uid = slurmCount(cell('UID')) ?? undefined
  if (!isJobNumber(id) || uid === undefined) return undefined
  const minutes = slurmCount(cell('TimelimitRaw')) ?? null
  const shown = cell('JobID')
  return {
    id,
    uid,
    account: slurmText(cell('Account')),
    shownId: shown === id ? null : shown,
    restarts: null,
    reservation: slurmReservation(cell('AllocTRES'), minutes === null ? null : minutes * 60),
  }
}
