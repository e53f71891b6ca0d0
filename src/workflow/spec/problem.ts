import { suggest } from '../../model/suggest.ts'
import {
  placeOfKey,
  placeOfValue,
  type Position,
  type ReadProblem,
  type SpecNode,
  type SpecPath,
} from './spec-node.ts'

/** Something wrong in a workflow file. */
export interface SpecError {
  readonly file: string
  readonly line: number
  readonly column: number
  /** `jobs.train.memroy`, `jobs[3].command`; empty for the document as a whole. */
  readonly path: string
  /** Without a full stop. */
  readonly message: string
  /** What to write instead, as a sentence; null where there is no guess. */
  readonly suggestion: string | null
}

/** `pipeline.yaml:14:5 jobs.train.memroy: unknown key. Did you mean "memory"?` */
export function formatSpecError(error: SpecError): string {
  const { file, line, column, path, message, suggestion } = error
  const place = `${file}:${line}:${column}`
  return `${path === '' ? place : `${place} ${path}`}: ${message}${suggestion === null ? '' : `. ${suggestion}`}`
}

/** Nobody reads more at once, and a file can have as many errors as words. */
const mostLines = 100

/** A line for each of them, and one for those that are too many. */
export function specErrorLines(errors: readonly SpecError[], most = mostLines): string[] {
  const more = errors.length - most
  return [
    ...errors.slice(0, most).map(formatSpecError),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ]
}

export const suggestionFor = (typed: string, candidates: Iterable<string>): string | null => {
  const meant = suggest(typed, [...candidates])
  return meant === undefined ? null : `Did you mean ${JSON.stringify(meant)}?`
}

/** Gathers all that is wrong in one file, by its path in the document. */
export class Problems {
  readonly #file: string
  readonly #root: SpecNode
  readonly #errors: SpecError[] = []
  readonly #unreadable = new Set<string>()
  /** Of each list that items were taken out of, the places in the file that those had. */
  readonly #leftOut = new Map<string, number[]>()

  constructor(file: string, root: SpecNode) {
    this.#file = file
    this.#root = root
  }

  get count(): number {
    return this.#errors.length
  }

  atKey(path: SpecPath, message: string, suggestion: string | null = null): void {
    const written = this.asWritten(path)
    this.#add(placeOfKey(this.#root, written), written, message, suggestion)
  }

  atValue(path: SpecPath, message: string, suggestion: string | null = null): void {
    const written = this.asWritten(path)
    this.#add(placeOfValue(this.#root, written), written, message, suggestion)
  }

  /** An item of a list was taken out: from now on those after it go by smaller numbers than in the file. */
  leaveOut(list: SpecPath, index: number): void {
    const written = this.asWritten([...list, index])
    const key = written.slice(0, -1).join('\n')
    const all = [...(this.#leftOut.get(key) ?? []), Number(written.at(-1))]
    this.#leftOut.set(
      key,
      all.toSorted((a, b) => a - b),
    )
  }

  /** A path as it would be if nothing had been taken out. */
  asWritten(path: SpecPath): SpecPath {
    if (this.#leftOut.size === 0) return path
    const written: (string | number)[] = []
    for (const step of path) {
      const gone = typeof step === 'number' ? this.#leftOut.get(written.join('\n')) : undefined
      written.push(
        gone === undefined
          ? step
          : gone.reduce((at, out) => (out <= at ? at + 1 : at), Number(step)),
      )
    }
    return written
  }

  /** Of a key that must be there: at the key, where nothing or null stands behind it, else at what should hold it. */
  atMissing(path: SpecPath): void {
    if (this.#unreadable.has(path.join('\n'))) return
    const written = this.asWritten(path)
    const message = `${JSON.stringify(path.at(-1))} is missing`
    this.#add(placeOfKey(this.#root, written), written.slice(0, -1), message, null)
  }

  /** What the reader found. Nothing more is said of that place, where what follows is no news. */
  addRead({ at, path, message }: ReadProblem): void {
    this.#add(at, path, message, null)
    this.#unreadable.add(`${at.line}:${at.column}`)
    this.#unreadable.add(path.join('\n'))
  }

  #add(at: Position, path: SpecPath, message: string, suggestion: string | null): void {
    if (this.#unreadable.has(`${at.line}:${at.column}`)) return
    const shown = shownPath(this.#root, path)
    this.#errors.push({ file: this.#file, ...at, path: shown, message, suggestion })
  }

  /** `jobs.train at line 4`, to speak of another place in the file. */
  mention(path: SpecPath): string {
    return `${shownPath(this.#root, path)} at line ${placeOfValue(this.#root, path).line}`
  }

  /** In the order of the file. */
  sorted(): readonly SpecError[] {
    return this.#errors.toSorted((a, b) => a.line - b.line || a.column - b.column)
  }
}

/** An item of a list goes by its name where it has one: people know their jobs, not their numbers. */
export function shownPath(root: SpecNode | null, path: SpecPath): string {
  let shown = ''
  let node: SpecNode | undefined = root ?? undefined
  for (const step of path) {
    node = node === undefined ? undefined : inside(node, step)
    const name = typeof step === 'number' ? nameOf(node) : step
    if (name === undefined) shown += `[${step}]`
    else shown += shown === '' ? name : `.${name}`
  }
  return shown
}

function inside(node: SpecNode, step: string | number): SpecNode | undefined {
  if (node.kind === 'map') return node.entries.get(String(step))?.value
  return node.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined
}

function nameOf(node: SpecNode | undefined): string | undefined {
  const name = node?.kind === 'map' ? node.entries.get('name')?.value : undefined
  const text = name?.kind === 'scalar' ? name.value : undefined
  return typeof text === 'string' && /^[\w{}:.-]+$/.test(text) ? text : undefined
}
