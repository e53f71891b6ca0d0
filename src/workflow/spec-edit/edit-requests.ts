import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import { formatSpecError } from '../spec/problem.ts'
import { readSpec } from '../spec/read-spec.ts'
import type { MapNode } from '../spec/spec-node.ts'
import { applySplices, lineChanges, type LineChange, type Splice } from './splice.ts'
import { durationLike, sizeLike } from './value-like.ts'
import type { EditFormat, NewEntry, WrittenMapping } from './written-mapping.ts'
import { formatOf, writtenRequests, type WrittenRequest } from './written-requests.ts'

const figures = ['cpus', 'memoryBytes', 'runtimeSeconds'] as const
type Figure = (typeof figures)[number]

export interface WantedFigure {
  readonly value: number
  /** Whether a file that asks for more is to be changed. */
  readonly mayLower: boolean
}

/** What a request is to be; null leaves as it is what the file says. */
export interface WantedRequest extends Pick<WrittenRequest, 'kind' | 'name'> {
  readonly wanted: Readonly<Record<Figure, WantedFigure | null>>
}

export type SpecEdit =
  | {
      readonly kind: 'ok'
      readonly text: string
      readonly changes: readonly LineChange[]
      /** Requests that the file does not have. */
      readonly missing: readonly string[]
    }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Changes the numbers of requests in a file and nothing else: comments, order, quotes and blanks stay. The
 * outcome is read again, and refused if it does not say what was wanted.
 */
export function editRequests(
  text: string,
  fileName: string,
  requests: readonly WantedRequest[],
): SpecEdit {
  const format = formatOf(fileName)
  if (format === undefined) return refuse(`${fileName} is not a workflow file`)
  const find = format.edit.mappings(text)
  const byName = new Map(writtenRequests(text, fileName).map((each) => [identity(each), each]))
  const missing: string[] = []
  const splices: Splice[] = []
  for (const request of requests) {
    const mapping = byName.get(identity(request))?.mapping
    const found = mapping === undefined ? undefined : find(mapping.at)
    if (mapping === undefined || found === undefined) missing.push(request.name)
    else splices.push(...edits({ text, mapping, found, format: format.edit }, request.wanted))
  }
  const edited = applySplices(text, splices)
  const fault = faultOf(edited, fileName, requests, missing)
  return fault === null
    ? { kind: 'ok', text: edited, changes: lineChanges(text, splices), missing }
    : refuse(fault)
}

const refuse = (why: string): SpecEdit => ({ kind: 'refused', why })

const identity = ({ kind, name }: Pick<WrittenRequest, 'kind' | 'name'>): string =>
  `${kind} ${name}`

interface Target {
  readonly text: string
  readonly mapping: MapNode
  readonly found: WrittenMapping
  readonly format: EditFormat
}

function edits(target: Target, wanted: WantedRequest['wanted']): Splice[] {
  const { mapping } = target
  const said = saidBy(mapping)
  const values = figures.flatMap((figure): [key: string, value: string | number][] => {
    const asked = wanted[figure]
    return asked === null || holds(said[figure], asked)
      ? []
      : [written(mapping, figure, asked.value)]
  })
  return splicesFor(target, values)
}

/** Whether a file already says what is wanted, in whatever words. */
const holds = (said: number | null, { value, mayLower }: WantedFigure): boolean =>
  said === value || (said !== null && said > value && !mayLower)

/** The key that a figure stands under, and its value in the way the one before it was written. */
function written(mapping: MapNode, figure: Figure, value: number): [string, string | number] {
  switch (figure) {
    case 'cpus':
      return [scalarAt(mapping, 'cpus') === undefined ? 'num_cpus' : 'cpus', value]
    case 'memoryBytes':
      return ['memory', sizeLike(scalarAt(mapping, 'memory'), value)]
    case 'runtimeSeconds':
      return ['runtime', durationLike(scalarAt(mapping, 'runtime'), value)]
  }
}

function splicesFor(
  { text, found, format }: Target,
  values: readonly (readonly [key: string, value: string | number])[],
): Splice[] {
  const splices: Splice[] = []
  const added: NewEntry[] = []
  for (const [key, value] of values) {
    const plain = typeof value === 'number' ? String(value) : format.quote(value)
    const span = found.values.get(key)
    if (span === undefined) added.push({ key, value: plain })
    else {
      const [quote = ''] = /^["']/.exec(text.slice(span.from, span.to)) ?? []
      // Nothing stands behind the colon of a key without a value, not even a blank.
      const blank = span.from === span.to && !/\s/.test(text[span.from - 1] ?? '') ? ' ' : ''
      splices.push({ ...span, text: blank + (quote === '' ? plain : `${quote}${value}${quote}`) })
    }
  }
  return added.length === 0 ? splices : [...splices, ...found.insert(added)]
}

/** What a mapping asks for, merged keys included. */
function saidBy(mapping: MapNode): Readonly<Record<Figure, number | null>> {
  const memory = scalarAt(mapping, 'memory')
  const runtime = scalarAt(mapping, 'runtime')
  const cpus = scalarAt(mapping, 'num_cpus') ?? scalarAt(mapping, 'cpus')
  return {
    cpus: typeof cpus === 'number' ? cpus : null,
    memoryBytes: memory === undefined ? null : (parseBytes(String(memory)) ?? null),
    runtimeSeconds: runtime === undefined ? null : (parseDuration(String(runtime)) ?? null),
  }
}

function scalarAt(mapping: MapNode, key: string): string | number | undefined {
  const node = mapping.entries.get(key)?.value
  if (node?.kind !== 'scalar') return undefined
  return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined
}

/** Why the edited text must not be written; null if it says what was wanted. */
function faultOf(
  edited: string,
  fileName: string,
  requests: readonly WantedRequest[],
  missing: readonly string[],
): string | null {
  const read = readSpec(edited, fileName)
  if (read.kind === 'invalid') {
    const [error] = read.errors
    return `the edited file would not be valid${error === undefined ? '' : `: ${formatSpecError(error)}`}`
  }
  const after = new Map(
    writtenRequests(edited, fileName).map((each) => [identity(each), saidBy(each.mapping)]),
  )
  const wrong = requests.find((request) => {
    const said = after.get(identity(request))
    if (said === undefined || missing.includes(request.name)) return false
    return !figures.every((figure) => {
      const asked = request.wanted[figure]
      return asked === null || holds(said[figure], asked)
    })
  })
  return wrong === undefined ? null : `"${wrong.name}" is written in a way that cannot be edited`
}
