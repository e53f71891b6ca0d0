import type { Placed } from './checked-spec.ts'
import { product, zip, type NamedValues } from './combinations.ts'
import type { ParameterSpec } from './definition.ts'
import { parseParameter, type ParameterValue } from './parameter-values.ts'
import { suggestionFor, type Problems } from './problem.ts'
import type { Room } from './room.ts'
import type { SpecPath } from './spec-node.ts'
import { compileTemplate, namesInBraces, type Template } from './template.ts'

export interface Parametrised {
  readonly name: string
  readonly parameters?: ParameterSpec | undefined
  readonly parameter_mode?: 'product' | 'zip' | undefined
  readonly use_parameters?: readonly string[] | undefined
}

/** One of the things that an item of the file stands for. */
export interface Expanded<T> {
  readonly name: string
  readonly source: Source<T>
  readonly values: readonly ParameterValue[]
}

/** What the whole file gives to its items. */
export interface Shared {
  readonly parameters: ReadonlyMap<string, NamedValues>
  readonly variables: Readonly<Record<string, ParameterValue>>
  readonly room: Room
}

/** The workflow's parameters, read once; those that are wrong are reported and left out. */
export function sharedParameters(
  spec: ParameterSpec | undefined,
  problems: Problems,
): Map<string, NamedValues> {
  return new Map(readParameters(spec, [], problems).map((each) => [each.name, each]))
}

function readParameters(
  spec: ParameterSpec | undefined,
  path: SpecPath,
  problems: Problems,
): NamedValues[] {
  return Object.entries(spec ?? {}).flatMap(([name, value]) => {
    const parsed = parseParameter(value)
    if (parsed.kind === 'ok') return [{ name, values: parsed.values }]
    problems.atValue([...path, 'parameters', name], parsed.message, parsed.suggestion ?? null)
    return []
  })
}

/**
 * An item of the file together with its templates, each compiled once for all its expansions. Most items
 * of a long list have none, so nothing is set up before it is needed.
 */
export class Source<T> {
  readonly path: SpecPath
  readonly spec: T
  readonly #names: readonly string[]
  readonly #variables: Readonly<Record<string, ParameterValue>>
  readonly #problems: Problems
  #compiled: Map<string, Template> | null = null
  #faulty: Set<string> | null = null

  constructor(placed: Placed<T>, names: readonly string[], shared: Shared, problems: Problems) {
    this.path = placed.path
    this.spec = placed.spec
    this.#names = names
    this.#variables = shared.variables
    this.#problems = problems
  }

  isConstant(text: string): boolean {
    return this.#names.length === 0 || this.#template(text).isConstant
  }

  /** `at` is where in the item the text stands. A text that cannot be filled in is reported once. */
  fill(
    text: string,
    values: readonly ParameterValue[],
    at: SpecPath,
    escape?: (text: string) => string,
  ): string {
    if (!text.includes('{')) return text
    const template = this.#template(text)
    const filled = template.fault === null ? template.filledWith(values, escape) : undefined
    if (filled !== undefined) return filled
    this.#faulty ??= new Set()
    if (!this.#faulty.has(text)) {
      this.#faulty.add(text)
      const shown = this.#names.map((name, index) => `${name} = ${JSON.stringify(values[index])}`)
      const fault = template.fault ?? `the format does not fit ${shown.join(', ')}`
      this.#problems.atValue([...this.path, ...at], fault)
    }
    return text
  }

  #template(text: string): Template {
    this.#compiled ??= new Map()
    const known = this.#compiled.get(text)
    if (known !== undefined) return known
    const names = { parameters: this.#names, variables: this.#variables }
    const template = compileTemplate(text, names)
    this.#compiled.set(text, template)
    return template
  }
}

/** All that one item of the file stands for, in the order of its combinations; null if it has faults. */
export function expand<T extends Parametrised>(
  placed: Placed<T>,
  shared: Shared,
  problems: Problems,
): Expanded<T>[] | null {
  const before = problems.count
  const parameters = parametersOf(placed, shared, problems)
  if (problems.count > before) return null
  const combined = placed.spec.parameter_mode === 'zip' ? zip(parameters) : product(parameters)
  const fault =
    combined.kind === 'ok' ? noRoom(placed, combined.count, shared.room) : combined.message
  if (combined.kind === 'wrong' || fault !== undefined) {
    const key = placed.spec.parameters === undefined ? 'use_parameters' : 'parameters'
    problems.atKey([...placed.path, key], fault ?? '')
    return null
  }
  const names = parameters.map(({ name }) => name)
  const source = new Source(placed, names, shared, problems)
  const expanded = combined.rows().map((values) => ({
    name: source.fill(placed.spec.name, values, ['name']),
    source,
    values,
  }))
  return problems.count > before ? null : expanded
}

function noRoom(item: Placed<Parametrised>, count: number, room: Room): string | undefined {
  // What stands in the file is there already, and is not made anew for a single one.
  const characters =
    count === 1 ? 0 : textsIn(item.spec).reduce((sum, text) => sum + text.length, 0)
  return room.take(count, characters)
}

/** Its own and those it picks from the workflow's; with neither, the workflow's that it mentions. */
function parametersOf(
  { spec, path }: Placed<Parametrised>,
  shared: Shared,
  problems: Problems,
): NamedValues[] {
  const own = readParameters(spec.parameters, path, problems)
  if (spec.use_parameters === undefined) {
    if (spec.parameters !== undefined || shared.parameters.size === 0) return own
    const mentioned = new Set(textsIn(spec).flatMap(namesInBraces))
    return [...shared.parameters.values()].filter(({ name }) => mentioned.has(name))
  }
  const picked = spec.use_parameters.flatMap((name, index) => {
    const found = shared.parameters.get(name)
    if (found === undefined) {
      const message = `the workflow has no parameter ${JSON.stringify(name)}`
      const near = suggestionFor(name, shared.parameters.keys())
      problems.atValue([...path, 'use_parameters', index], message, near)
    }
    return found === undefined || own.some((mine) => mine.name === name) ? [] : [found]
  })
  return [...own, ...picked]
}

/** Whether anything in an item stands for one of these, but for what it has by that name itself. */
export function mentions({ spec }: Placed<Parametrised>, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false
  const used = [...textsIn(spec).flatMap(namesInBraces), ...(spec.use_parameters ?? [])]
  return used.some((name) => names.has(name) && !Object.hasOwn(spec.parameters ?? {}, name))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
