import type { CheckedSpec, Placed } from './checked-spec.ts'
import type { JobSpec } from './definition.ts'
import type { Expanded } from './expand.ts'
import { suggestionFor, type Problems } from './problem.ts'
import type { ListName } from './repair.ts'
import type { SpecPath } from './spec-node.ts'
import { reportRepeated } from './uniqueness.ts'

interface Part {
  readonly list: ListName
  readonly what: string
  readonly items: readonly Placed<{ readonly name: string }>[]
  readonly key: 'resource_requirements' | 'failure_handler' | 'scheduler'
}

/** Requests, failure handlers and schedulers: each name once, and each one that jobs use is there. */
export function reportUnknownNames(
  spec: CheckedSpec,
  jobs: readonly Expanded<JobSpec>[],
  unknownLists: ReadonlySet<ListName>,
  problems: Problems,
): void {
  const parts: readonly Part[] = [
    {
      list: 'resource_requirements',
      what: 'resource requirements',
      items: spec.requirements,
      key: 'resource_requirements',
    },
    {
      list: 'failure_handlers',
      what: 'failure handler',
      items: spec.failureHandlers,
      key: 'failure_handler',
    },
    { list: 'slurm_schedulers', what: 'scheduler', items: spec.schedulers, key: 'scheduler' },
  ]
  for (const part of parts) {
    const named = part.items.map(({ path, spec: { name } }) => ({ path, name }))
    reportRepeated(part.what, named, problems)
    if (!unknownLists.has(part.list)) reportUnknown(part, jobs, problems)
  }
  for (const { path, spec: request } of spec.requirements) reportBoth(path, request, problems)
  for (const { path, spec: job } of spec.jobs) {
    if (typeof job.resource_requirements !== 'object') continue
    reportBoth([...path, 'resource_requirements'], job.resource_requirements, problems)
  }
  if (!unknownLists.has('slurm_schedulers')) reportActionSchedulers(spec, problems)
}

function reportUnknown(part: Part, jobs: readonly Expanded<JobSpec>[], problems: Problems): void {
  const names = new Set(part.items.map(({ spec: { name } }) => name))
  const reported = new Set<SpecPath>()
  for (const { source, values } of jobs) {
    const written = source.spec[part.key]
    if (typeof written !== 'string' || reported.has(source.path)) continue
    const name = source.fill(written, values, [part.key])
    if (names.has(name)) continue
    reported.add(source.path)
    reportMissing([...source.path, part.key], part.what, name, names, problems)
  }
}

function reportMissing(
  path: SpecPath,
  what: string,
  name: string,
  names: ReadonlySet<string>,
  problems: Problems,
): void {
  const message = `no ${what} named ${JSON.stringify(name)}`
  problems.atValue(path, message, suggestionFor(name, names))
}

const isSlurm = (type: string | undefined): boolean => type === undefined || type === 'slurm'

function reportActionSchedulers(spec: CheckedSpec, problems: Problems): void {
  const names = new Set(spec.schedulers.map(({ spec: { name } }) => name))
  for (const { path, spec: action } of spec.actions) {
    const { scheduler } = action
    if (scheduler === undefined || names.has(scheduler) || !isSlurm(action.scheduler_type)) continue
    reportMissing([...path, 'scheduler'], 'scheduler', scheduler, names, problems)
  }
}

/** Two names of one thing must not say different things. */
function reportBoth(
  path: SpecPath,
  request: Readonly<Record<string, unknown>>,
  problems: Problems,
): void {
  for (const [short, long] of [
    ['cpus', 'num_cpus'],
    ['gpus', 'num_gpus'],
  ] as const) {
    if (request[short] === undefined || request[long] === undefined) continue
    problems.atKey([...path, short], `"${short}" and "${long}" are the same; write only one`)
  }
}
