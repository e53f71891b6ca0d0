import type { JobKind } from '../../model/node-round.ts'
import type { ProcessMarks } from '../processes/seen-process.ts'

/** The job that a process is part of, as far as its cgroups and marks tell. */
export interface JobPlace {
  readonly kind: JobKind
  readonly id: string
  /** Its directory in the tree of each controller, where it is a cgroup; '' for v2. */
  readonly cgroups: ReadonlyMap<string, string>
}

const noCgroups: ReadonlyMap<string, string> = new Map()

/** Crockford's base 32, after an `s`: what Slurm names jobs by from 26.05 on. */
const slurmOfV2 = /^(.*slurmstepd\.scope\/(?:job_(\d+)|(s[0-9a-hjkmnp-tv-z]{13})))(?:\/|$)/i
const slurmOfV1 = /^(.*\/slurm(?:_[^/]+)?\/uid_\d+\/job_(\d+))(?:\/|$)/
const container = /^(.*?([0-9a-f]{64})(?:\.scope)?)(?:\/|$)/
const unit = /^(.*\/([^/]+\.(?:service|scope)))(?:\/|$)/
/** A login is no job: everything that somebody does is in it. */
const login = /\/(?:session-[^/]+\.scope|user@\d+\.service)$/

interface Found {
  readonly kind: JobKind
  readonly id: string
  readonly directory: string
}

function foundIn(path: string): Found | undefined {
  const slurm = slurmOfV2.exec(path) ?? slurmOfV1.exec(path)
  if (slurm !== null)
    return { kind: 'slurm', id: slurm[2] ?? slurm[3] ?? '', directory: slurm[1] ?? '' }
  const contained = container.exec(path)
  if (contained !== null)
    return { kind: 'container', id: contained[2] ?? '', directory: contained[1] ?? '' }
  const service = unit.exec(path)
  if (service === null || login.test(service[1] ?? '')) return undefined
  return { kind: 'unit', id: service[2] ?? '', directory: service[1] ?? '' }
}

/** From the text of /proc/PID/cgroup. Undefined: nothing but its session tells what it is part of. */
export function jobPlace(cgroup: string, marks: ProcessMarks): JobPlace | undefined {
  const cgroups = new Map<string, string>()
  let best: Found | undefined
  for (const line of cgroup.split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    const found = foundIn(path)
    if (found === undefined) continue
    if (best === undefined || rank(found) < rank(best)) {
      best = found
      cgroups.clear()
    }
    if (found.id === best.id)
      for (const controller of controllers.split(',')) cgroups.set(controller, found.directory)
  }
  if (best?.kind === 'slurm') return { ...best, cgroups }
  if (marks.slurmJobId !== null) return { kind: 'slurm', id: marks.slurmJobId, cgroups: noCgroups }
  if (marks.taskId !== null)
    // An attempt in a container has the container's limits.
    return {
      kind: 'attempt',
      id: marks.taskId,
      cgroups: best?.kind === 'container' ? cgroups : noCgroups,
    }
  return best === undefined ? undefined : { kind: best.kind, id: best.id, cgroups }
}

const order: readonly JobKind[] = ['slurm', 'container', 'unit']
const rank = ({ kind }: Found): number => order.indexOf(kind)
