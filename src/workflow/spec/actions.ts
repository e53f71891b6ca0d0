import type { WorkflowAction } from '../../model/workflow.ts'
import type { CheckedSpec, Placed } from './checked-spec.ts'
import type { ActionSpec } from './definition.ts'
import { Source, type Shared } from './expand.ts'
import { isIndices, type NameIndex } from './name-index.ts'
import { suggestionFor, type Problems } from './problem.ts'
import type { UnknownNames } from './unknown-names.ts'

export function toActions(
  spec: CheckedSpec,
  shared: Shared,
  jobs: NameIndex,
  unknownJobs: UnknownNames,
  problems: Problems,
): WorkflowAction[] {
  return spec.actions.map((placed) => {
    const source = new Source(placed, [], shared, problems)
    const { spec: action } = placed
    const found = jobsOf(placed, source, jobs, unknownJobs, problems)
    return {
      trigger: action.trigger_type,
      type: action.action_type,
      jobs: found,
      commands: asList(action.commands).map((text, at) => source.fill(text, [], ['commands', at])),
      kept: keptOf(action),
    }
  })
}

function jobsOf(
  { path, spec }: Placed<ActionSpec>,
  source: Source<ActionSpec>,
  jobs: NameIndex,
  unknownJobs: UnknownNames,
  problems: Problems,
): string[] {
  const found = new Set<number>()
  asList(spec.jobs).forEach((text, at) => {
    const name = source.fill(text, [], ['jobs', at])
    const position = jobs.find(name)
    if (position !== undefined) found.add(position)
    else if (!unknownJobs.mayHold(name)) {
      const message = `no job is named ${JSON.stringify(name)}`
      problems.atValue([...path, 'jobs', at], message, suggestionFor(name, jobs.names))
    }
  })
  asList(spec.job_name_regexes).forEach((text, at) => {
    const pattern = source.fill(text, [], ['job_name_regexes', at])
    const matched = jobs.matching(pattern)
    const here = [...path, 'job_name_regexes', at]
    if (!isIndices(matched)) return problems.atValue(here, matched.fault)
    for (const position of matched) found.add(position)
    if (matched.length === 0 && !unknownJobs.mayMatch(pattern))
      problems.atValue(here, `no job matches ${JSON.stringify(pattern)}`)
  })
  return [...found].toSorted((a, b) => a - b).flatMap((position) => jobs.names[position] ?? [])
}

const keptKeys = [
  'scheduler',
  'scheduler_type',
  'num_allocations',
  'persistent',
  'max_parallel_jobs',
  'start_one_worker_per_node',
] as const

const keptOf = (action: ActionSpec): Record<string, unknown> =>
  Object.fromEntries(
    keptKeys.flatMap((key) => (action[key] === undefined ? [] : [[key, action[key]]])),
  )

const asList = (value: string | readonly string[] | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? [])
