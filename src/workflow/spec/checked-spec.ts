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
import type { Problems } from './problem.ts'
import { plainValue, type SpecNode, type SpecPath } from './spec-node.ts'

/** The parts of a workflow file that are lists of things. */
const listNames = [
  'jobs',
  'files',
  'user_data',
  'resource_requirements',
  'failure_handlers',
  'actions',
  'slurm_schedulers',
] as const

export type ListName = (typeof listNames)[number]

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
  /** Lists with items left out: that a name is missing from one proves nothing. */
  readonly incomplete: ReadonlySet<ListName>
}

type Value = Record<string, unknown>

export function checkSpec(root: SpecNode, problems: Problems): CheckedSpec {
  const document = plainValue(root)
  const report = new ShapeReport(problems, document)
  const kept = isValue(document) ? takeComputeNodeKeys(document, report) : {}
  const checked = workflow.safeParse(document)
  if (!checked.success) report.report(checked.error.issues)
  const value: Value = isValue(document) ? document : {}
  const incomplete = new Set<ListName>()
  if (!checked.success) removeFaults(value, checked.error.issues, incomplete)
  // Checking a second time would cost as much again, for nothing where all is well.
  const sound = checked.success ? checked.data : null
  const pick = <T>(
    name: ListName,
    definition: z.ZodType<T>,
    found: readonly T[] | undefined,
  ): Placed<T>[] =>
    sound === null
      ? soundItems(name, value[name], definition, incomplete)
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
    incomplete,
  }
}

function soundHead(value: Value): z.infer<typeof head> {
  const rest = { ...value }
  for (const name of listNames) delete rest[name]
  const parsed = head.safeParse(rest)
  return parsed.success ? parsed.data : {}
}

function soundItems<T>(
  name: ListName,
  items: unknown,
  definition: z.ZodType<T>,
  incomplete: Set<ListName>,
): Placed<T>[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown, index) => {
    const parsed = definition.safeParse(item)
    if (parsed.success) return [{ path: [name, index], spec: parsed.data }]
    incomplete.add(name)
    return []
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

/** Without its parameters an item would expand to something else entirely. */
const shapesAll = new Set<PropertyKey>(['parameters', 'parameter_mode', 'use_parameters'])

function removeFaults(
  value: Value,
  issues: readonly z.core.$ZodIssue[],
  incomplete: Set<ListName>,
): void {
  for (const { code, path, ...issue } of issues) {
    const [first, index, key] = path
    const list = listNames.find((name) => name === first)
    const items = list === undefined ? undefined : value[list]
    if (list === undefined) {
      if (first === 'parameters' || first === 'variables') allIncomplete(incomplete)
      if (first !== undefined) delete value[String(first)]
      else if (code === 'unrecognized_keys' && 'keys' in issue) {
        for (const unknown of issue.keys) delete value[unknown]
      }
    } else if (!Array.isArray(items) || typeof index !== 'number') {
      incomplete.add(list)
      delete value[list]
    } else if (key === undefined || shapesAll.has(key)) {
      if (key === undefined && code === 'unrecognized_keys' && 'keys' in issue) {
        for (const unknown of issue.keys) deleteFrom(items[index], unknown)
      } else items[index] = null
    } else deleteFrom(items[index], key)
  }
}

function allIncomplete(incomplete: Set<ListName>): void {
  for (const name of listNames) incomplete.add(name)
}

function deleteFrom(item: unknown, key: PropertyKey): void {
  if (isValue(item)) delete item[String(key)]
}

const isValue = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
