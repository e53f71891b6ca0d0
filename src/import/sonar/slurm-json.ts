import type { PastSlurmJob } from '../../model/past-slurm-job.ts'
import {
  listIn,
  mostKib,
  mostSeconds,
  needed,
  objectAt,
  textIn,
  timeIn,
  wholeIn,
} from '../fields.ts'
import type { Fields } from '../fields.ts'
import {
  gpusField,
  bytesField,
  countField,
  nodesField,
  resourcesField,
} from '../slurm/slurm-values.ts'

const mostId = Number.MAX_SAFE_INTEGER
const mostMinutes = 2 ** 32
/** More would not be exact in microseconds. */
const mostCpuSeconds = 2 ** 33

/** The attributes of a `jobs` record: jobs as Slurm's own account has them. Steps are left to the samples. */
export function slurmJobsOf(attributes: Fields): readonly PastSlurmJob[] {
  needed(timeIn(attributes, 'time', ''), 'time')
  return listIn(attributes, 'slurm_jobs', '').flatMap((value, index) => {
    const place = `slurm_jobs[${index}]`
    const job = objectAt(value, place)
    const isStep = textIn(job, 'job_step', `${place}.`) !== undefined
    return isStep ? [] : [jobOf(job, `${place}.`)]
  })
}

function jobOf(job: Fields, place: string): PastSlurmJob {
  const text = (name: string): string | null => textIn(job, name, place) ?? null
  const nodes = listIn(job, 'nodes', place).map((node) => textIn({ node }, 'node', place) ?? '')
  const sacct = objectAt(job['sacct'] ?? {}, `${place}sacct`)
  const cpu = ['UserCPU', 'SystemCPU'].map((name) =>
    wholeIn(sacct, name, `${place}sacct.`, mostCpuSeconds / 2),
  )
  const peak = wholeIn(sacct, 'MaxRSS', `${place}sacct.`, mostKib)
  return {
    id: String(needed(wholeIn(job, 'job_id', place, mostId), `${place}job_id`)),
    user: text('user_name'),
    account: text('account'),
    name: text('job_name'),
    hosts: nodes.flatMap((node) => nodesField('nodes', node)),
    startedAt: timeIn(job, 'start_time', place) ?? null,
    endedAt: timeIn(job, 'end_time', place) ?? null,
    cpuSeconds: cpu.every((seconds) => seconds === undefined)
      ? null
      : (cpu[0] ?? 0) + (cpu[1] ?? 0),
    memoryPeakBytes: peak === undefined ? null : peak * 1024,
    reservation: askedOf(job, place),
  }
}

function askedOf(job: Fields, place: string): PastSlurmJob['reservation'] {
  const told =
    textIn(job, 'allocated_resources', place) ?? textIn(job, 'requested_resources', place)
  const asked = resourcesField('resources', told)
  const memoryKib = wholeIn(job, 'requested_memory_per_node', place, mostKib)
  // 0 is unset, 1 without a limit, and all others are 2 too large.
  const limit = wholeIn(job, 'time_limit', place, mostMinutes) ?? 0
  return {
    cpus:
      countField('cpu', asked.get('cpu')) ??
      (wholeIn(job, 'requested_cpus', place, mostSeconds) || null),
    memoryBytes: bytesField('mem', asked.get('mem'), 'M') ?? (memoryKib ? memoryKib * 1024 : null),
    gpus: gpusField(asked),
    runtimeSeconds: limit < 2 ? null : (limit - 2) * 60,
    source: 'slurm',
  }
}
