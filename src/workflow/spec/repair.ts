import type * as z from 'zod'
import { meantBranch } from './check-shape.ts'
import type { Problems } from './problem.ts'
import { stepOf, type SpecPath } from './spec-node.ts'

type Issue = z.core.$ZodIssue
type Value = Record<string, unknown>

/** The parts of a workflow file that are lists of things. */
export const listNames = [
  'jobs',
  'files',
  'user_data',
  'resource_requirements',
  'failure_handlers',
  'actions',
  'slurm_schedulers',
] as const

export type ListName = (typeof listNames)[number]

/** Without its parameters an item would expand to something else entirely. */
const shapesAll = new Set<PropertyKey>(['parameters', 'parameter_mode', 'use_parameters'])

/** What stands for something that must be there, so that the rest of its item can be checked. Nothing of it ever runs. */
const standIns: Readonly<Record<string, (index: number) => unknown>> = {
  name: (index) => `(number ${index + 1}, which has no name)`,
  command: () => 'true',
  path: () => '-',
  image: () => 'none',
  rules: () => [{ match_all_exit_codes: true }],
}

/** What cannot be known of a file with faults, so that nobody misses it. */
export interface Unknowns {
  /** Items that cannot be expanded, by their paths as `jobs/3`. */
  readonly unexpandable: ReadonlySet<string>
  /** Parameters and variables of the whole file. */
  readonly shared: ReadonlySet<string>
  /** Lists that are none. */
  readonly lists: ReadonlySet<ListName>
}

/** Takes what is wrong out of a document, so that all the rest can be checked and everything is told at once. */
export class Repair implements Unknowns {
  readonly unexpandable = new Set<string>()
  readonly shared = new Set<string>()
  readonly lists = new Set<ListName>()
  readonly #document: Value
  readonly #problems: Problems
  /** What was taken out, and all that it was part of. */
  readonly #touched = new Set<string>()

  constructor(document: Value, problems: Problems) {
    this.#document = document
    this.#problems = problems
  }

  /** Whether something is wrong only because of what was taken out. */
  isTold({ path }: Issue): boolean {
    return this.#touched.has(this.#problems.asWritten(path.map(stepOf)).join('\n'))
  }

  /** Answers whether there was anything to take out. */
  takeOut(issues: readonly Issue[]): boolean {
    const places = issues.flatMap((issue) => placesOf(issue, []))
    // From the end: what is taken out of a list moves up all that comes after it.
    const inOrder = places.toSorted((a, b) => compare(b.path, a.path))
    return inOrder.map((place) => this.#takeOut(place)).includes(true)
  }

  #takeOut({ path, isUnknownKey }: Place): boolean {
    const last = path.at(-1)
    if (last === undefined) return false
    if (!isUnknownKey) this.#touch(path)
    const holder = path.slice(0, -1).reduce<unknown>(inside, this.#document)
    if (Array.isArray(holder)) return this.#takeItem(holder, path, Number(last))
    if (!isValue(holder)) return false
    if (!isUnknownKey) return this.#takeKey(holder, path, String(last))
    delete holder[last]
    return true
  }

  #touch(path: SpecPath): void {
    this.#note(path)
    const written = this.#problems.asWritten(path)
    written.forEach((_, at) => this.#touched.add(written.slice(0, at + 1).join('\n')))
  }

  #takeItem(list: unknown[], path: SpecPath, index: number): boolean {
    // Items of the lists themselves keep their numbers.
    if (path.length === 2) {
      const before = list[index]
      list[index] = null
      return before !== null
    }
    list.splice(index, 1)
    this.#problems.leaveOut(path.slice(0, -1), index)
    return true
  }

  #takeKey(holder: Value, path: SpecPath, key: string): boolean {
    const before = holder[key]
    if (key === 'name' && (typeof before === 'number' || typeof before === 'boolean'))
      holder[key] = String(before)
    else if (path.length === 3 && Object.hasOwn(standIns, key))
      holder[key] = standIns[key]?.(Number(path[1]))
    else if (before !== undefined) delete holder[key]
    else if (path.length > 1) return this.#takeOut({ path: path.slice(0, -1), isUnknownKey: false })
    else return false
    return true
  }

  #note([first, second, third]: SpecPath): void {
    const list = listNames.find((name) => name === first)
    if (list === undefined) {
      if (first === 'parameters' || first === 'variables') this.#noteShared(first, second)
    } else if (second === undefined) this.lists.add(list)
    else if (third !== undefined && shapesAll.has(third))
      this.unexpandable.add(`${list}/${String(second)}`)
  }

  #noteShared(kind: 'parameters' | 'variables', name: string | number | undefined): void {
    const all = this.#document[kind]
    if (name !== undefined) this.shared.add(String(name))
    else if (isValue(all)) for (const key of Object.keys(all)) this.shared.add(key)
  }
}

interface Place {
  readonly path: SpecPath
  readonly isUnknownKey: boolean
}

/** As deep down as can be told: of a list with one bad item only that goes. */
function placesOf(issue: Issue, around: SpecPath): Place[] {
  const path = [...around, ...issue.path.map(stepOf)]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], isUnknownKey: true }))
  const meant = issue.code === 'invalid_union' ? meantBranch(issue.errors) : undefined
  return meant === undefined
    ? [{ path, isUnknownKey: false }]
    : meant.flatMap((each) => placesOf(each, path))
}

function compare(a: SpecPath, b: SpecPath): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const [one, other] = [a[at], b[at]]
    if (one === other) continue
    if (typeof one === 'number' && typeof other === 'number') return one - other
    return String(one) < String(other) ? -1 : 1
  }
  return a.length - b.length
}

function inside(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)] as unknown
  return isValue(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

export const isValue = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
