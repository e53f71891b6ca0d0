import type { PastSlurmJob } from '../../model/past-slurm-job.ts'
import { SlurmTable } from '../../slurm/table.ts'
import { slurmText } from '../../slurm/values.ts'
import { BadRecord } from '../bad-record.ts'
import {
  gpusField,
  bytesField,
  countField,
  nodesField,
  resourcesField,
  secondsField,
  timeField,
} from './slurm-values.ts'

/** A line of `sacct -P`: a job, or a step of one. */
export interface SacctRow {
  readonly isStep: boolean
  readonly job: PastSlurmJob
}

/** Puts lines under the names of a header. */
export class SacctHeader {
  readonly #table: SlurmTable

  constructor(line: string) {
    this.#table = new SlurmTable(line)
    if (!this.#table.has('jobid') && !this.#table.has('jobidraw'))
      throw new BadRecord(
        'the first line is not a header of sacct -P with a column JobID or JobIDRaw',
      )
  }

  row(line: string): SacctRow {
    const cells = this.#table.row(line)
    if (typeof cells === 'number')
      throw new BadRecord(
        'it has too many or too few columns',
        `${cells}, and the header ${this.#table.names.length}`,
      )
    return rowOf(cells)
  }
}

/** More would not be exact in microseconds. */
const mostCpuSeconds = 2 ** 33

function rowOf(cells: ReadonlyMap<string, string>): SacctRow {
  const told = cells.get('jobidraw') || cells.get('jobid') || ''
  const [, id, step] = /^(\d{1,18}(?:[_+][\w[\],%-]{1,200})?)(\..{1,200})?$/.exec(told) ?? []
  if (id === undefined) throw new BadRecord('it has no job id', JSON.stringify(told.slice(0, 40)))
  const cpuSeconds = cpuOf(cells)
  if ((cpuSeconds ?? 0) > mostCpuSeconds) throw new BadRecord('it used more CPU than there is')
  const job: PastSlurmJob = {
    id,
    user: named(cells.get('user')),
    account: named(cells.get('account')),
    name: named(cells.get('jobname')),
    hosts: nodesField('NodeList', cells.get('nodelist')),
    startedAt: timeField('Start', cells.get('start')),
    endedAt: timeField('End', cells.get('end')),
    cpuSeconds,
    memoryPeakBytes: bytesField('MaxRSS', cells.get('maxrss'), 'K'),
    reservation: askedOf(cells),
  }
  return { isStep: step !== undefined, job }
}

const longestName = 4096

function named(told: string | undefined): string | null {
  if ((told ?? '').length > longestName) throw new BadRecord('a name is too long')
  return slurmText(told)
}

function cpuOf(cells: ReadonlyMap<string, string>): number | null {
  const total = secondsField('TotalCPU', cells.get('totalcpu'))
  if (total !== null) return total
  const user = secondsField('UserCPU', cells.get('usercpu'))
  const system = secondsField('SystemCPU', cells.get('systemcpu'))
  return user === null || system === null ? null : user + system
}

function askedOf(cells: ReadonlyMap<string, string>): PastSlurmJob['reservation'] {
  const allocated = resourcesField('AllocTRES', cells.get('alloctres'))
  const asked = allocated.size > 0 ? allocated : resourcesField('ReqTRES', cells.get('reqtres'))
  const count = (column: string, cell: string): number | null => countField(column, cells.get(cell))
  const cpus =
    countField('cpu', asked.get('cpu')) ??
    count('AllocCPUS', 'alloccpus') ??
    count('NCPUS', 'ncpus') ??
    count('ReqCPUS', 'reqcpus')
  const minutes = count('TimelimitRaw', 'timelimitraw')
  return {
    cpus,
    memoryBytes:
      bytesField('mem', asked.get('mem'), 'M') ??
      bytesField('ReqMem', cells.get('reqmem'), 'M', cpus),
    gpus: gpusField(asked),
    runtimeSeconds:
      secondsField('Timelimit', cells.get('timelimit')) ?? (minutes === null ? null : minutes * 60),
    source: 'slurm',
  }
}
