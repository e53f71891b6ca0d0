import type * as z from 'zod'
import { ShapeReport } from './check-shape.ts'
import {
  action,
  computeNodeKey,
  computeNodeSetting,
  file,
  job,
  userData,
  workflow,
  type WorkflowSpec,
} from './definition.ts'
import { failureHandler, resourceRequirements, slurmScheduler } from './definition-resources.ts'
import { specJsonSchema } from './json-schema.ts'
import type { Problems } from './problem.ts'
import { isValue, listNames, Repair, type ListName, type Unknowns } from './repair.ts'
import { presentValue } from './present-value.ts'
import type { SpecNode, SpecPath } from './spec-node.ts'

const head = workflow
  .omit({
    jobs: true,
    files: true,
    user_data: true,
    resource_requirements: true,
    failure_handlers: true,
    actions: true,
    slurm_schedulers: true,
  })
  .partial()

/** An item of a list with its place in the document. */
export interface Placed<T> {
  readonly path: SpecPath
  readonly spec: T
}

/**
 * What of a file has the right shape. An item with a fault loses what is wrong with it, or is left out,
 * so that all the rest is checked too and everything is reported at once.
 */
export interface CheckedSpec {
  readonly head: z.infer<typeof head>
  readonly kept: Readonly<Record<string, unknown>>
  readonly jobs: readonly Placed<z.infer<typeof job>>[]
  readonly files: readonly Placed<z.infer<typeof file>>[]
  readonly userData: readonly Placed<z.infer<typeof userData>>[]
  readonly requirements: readonly Placed<z.infer<typeof resourceRequirements>>[]
  readonly failureHandlers: readonly Placed<z.infer<typeof failureHandler>>[]
  readonly actions: readonly Placed<z.infer<typeof action>>[]
  readonly schedulers: readonly Placed<z.infer<typeof slurmScheduler>>[]
  readonly unknowns: Unknowns
}

type Value = Record<string, unknown>

/** What one round takes out may uncover something more, inside the same item. Deeper than this nothing is nested. */
const mostRounds = 8

export function checkSpec(root: SpecNode, problems: Problems): CheckedSpec {
  const document = presentValue(root, specJsonSchema)
  const value: Value = isValue(document) ? document : {}
  const report = new ShapeReport(problems, value)
  const kept = takeComputeNodeKeys(value, report)
  const repair = new Repair(value, problems)
  const sound = checkRepeatedly(value, report, repair)
  // Checking a second time would cost as much again, for nothing where all is well.
  const pick = <T>(
    name: ListName,
    definition: z.ZodType<T>,
    found: readonly T[] | undefined,
  ): Placed<T>[] =>
    sound === null
      ? soundItems(name, value[name], definition)
      : (found ?? []).map((spec, index) => ({ path: [name, index], spec }))
  return {
    head: soundHead(value),
    kept: { ...kept, ...keptOf(value) },
    jobs: pick('jobs', job, sound?.jobs),
    files: pick('files', file, sound?.files),
    userData: pick('user_data', userData, sound?.user_data),
    requirements: pick('resource_requirements', resourceRequirements, sound?.resource_requirements),
    failureHandlers: pick('failure_handlers', failureHandler, sound?.failure_handlers),
    actions: pick('actions', action, sound?.actions),
    schedulers: pick('slurm_schedulers', slurmScheduler, sound?.slurm_schedulers),
    unknowns: repair,
  }
}

/**
 * Reports what is wrong with the shape and takes it out, until nothing more comes to light: some things are only
 * checked once the others are right. Answers the file where nothing was wrong to begin with.
 */
function checkRepeatedly(value: Value, report: ShapeReport, repair: Repair): WorkflowSpec | null {
  for (let round = 0; round < mostRounds; round++) {
    const checked = workflow.safeParse(value)
    if (checked.success) return round === 0 ? checked.data : null
    const { issues } = checked.error
    const news = round === 0 ? issues : issues.filter((issue) => !repair.isTold(issue))
    report.report(news)
    // What is left is what stays out: items that are none, a name or jobs that are not there.
    if (!repair.takeOut(issues)) return null
  }
  return null
}

function soundHead(value: Value): z.infer<typeof head> {
  const rest = { ...value }
  for (const name of listNames) delete rest[name]
  const parsed = head.safeParse(rest)
  return parsed.success ? parsed.data : {}
}

function soundItems<T>(name: ListName, items: unknown, definition: z.ZodType<T>): Placed<T>[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown, index) => {
    const parsed = definition.safeParse(item)
    return parsed.success ? [{ path: [name, index], spec: parsed.data }] : []
  })
}

/** These may be called anything that starts so, which a strict object cannot say. */
function takeComputeNodeKeys(document: Value, report: ShapeReport): Value {
  const taken: Value = {}
  for (const key of Object.keys(document).filter((each) => computeNodeKey.test(each))) {
    const parsed = computeNodeSetting.safeParse(document[key])
    if (!parsed.success) report.report(parsed.error.issues, [key])
    taken[key] = document[key]
    delete document[key]
  }
  return taken
}

const keptKeys = ['slurm_schedulers', 'slurm_defaults', 'use_pending_failed'] as const

const keptOf = (value: Value): Partial<WorkflowSpec> =>
  Object.fromEntries(keptKeys.flatMap((key) => (key in value ? [[key, value[key]]] : [])))
