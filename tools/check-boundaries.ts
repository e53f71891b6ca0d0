import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import boundaries from '../boundaries.json' with { type: 'json' }
import { findImports } from './imports.ts'
import type { Import } from './imports.ts'

/** Which room may import which (or a folder of it), and which packages may be used where. */
export interface Boundaries {
  readonly rooms: Readonly<Record<string, readonly string[]>>
  /** By folder of src; what a folder may use its subfolders may too. */
  readonly packages: Readonly<Record<string, readonly string[]>>
  /** Files of src that only tests may import, wherever they are. */
  readonly testOnly: readonly string[]
}

/** Every breach as a line for people and editors. `sources` maps paths such as `src/cli/main.ts` to text. */
export function checkBoundaries(sources: ReadonlyMap<string, string>, rules: Boundaries): string[] {
  const problems: string[] = []
  const graph = new Map<string, Edge[]>()
  for (const [file, source] of sources) {
    const room = roomOf(file)
    const imports = findImports(source)
    if (rules.rooms[room] === undefined) {
      problems.push(`${file}:1:1 ${room} is not a room of boundaries.json`)
      continue
    }
    for (const found of imports) {
      const why = breach(file, found, rules)
      if (why !== undefined) problems.push(`${file}:${found.line}:${found.column} ${why}`)
    }
    graph.set(file, edgesOf(file, imports, sources))
  }
  return [...problems, ...findCycles(graph)]
}

/** `src/meter/pace.ts` is in meter, `src/index.ts` a room of its own, and so is all of `web/`. */
function roomOf(file: string): string {
  const [top = '', first = ''] = file.split('/')
  return top === 'web' ? top : first.replace(/(\.test)?\.ts$/, '')
}

const isOurs = (path: string): boolean => path.startsWith('src/') || path.startsWith('web/')

/** A rule names a room, or a folder of one. */
const isIn = (file: string, folder: string): boolean =>
  roomOf(file) === folder || file.startsWith(`src/${folder}/`)

const isTest = (file: string): boolean => file.endsWith('.test.ts')

const isTestOnly = (file: string, { testOnly }: Boundaries): boolean =>
  testOnly.includes(file.slice('src/'.length))

function breach(file: string, found: Import, rules: Boundaries): string | undefined {
  const room = roomOf(file)
  if (!found.specifier.startsWith('.')) return packageBreach(file, found.specifier, rules)
  const target = join(dirname(file), found.specifier)
  if (!isOurs(target)) {
    // Bundlers take style sheets for modules.
    if (isTest(file) || (room === 'web' && target.endsWith('.css'))) return undefined
    return `${room} may not import ${target}, which is outside src`
  }
  if (isTestOnly(target, rules)) {
    const isAllowed = isTest(file) || isTestOnly(file, rules)
    return isAllowed ? undefined : `only tests may import ${target}`
  }
  const targetRoom = roomOf(target)
  const allowed = rules.rooms[room] ?? []
  if (targetRoom === room || allowed.some((folder) => isIn(target, folder))) return undefined
  const list = allowed.length === 0 ? 'nothing' : allowed.toSorted().join(', ')
  return `${room} may not import ${targetRoom} (allowed: ${list})`
}

function packageBreach(file: string, specifier: string, rules: Boundaries): string | undefined {
  if (isTest(file)) return undefined
  const allowed = Object.entries(rules.packages)
    .filter(([folder]) => isIn(file, folder))
    .flatMap(([, packages]) => packages)
  const fits = allowed.some((pattern) =>
    pattern.endsWith('*') ? specifier.startsWith(pattern.slice(0, -1)) : specifier === pattern,
  )
  if (fits) return undefined
  const list = allowed.length === 0 ? 'none' : allowed.join(', ')
  return `${dirname(file)} may not use ${specifier} (allowed packages: ${list})`
}

interface Edge {
  readonly target: string
  readonly at: Import
}

function edgesOf(
  file: string,
  imports: readonly Import[],
  sources: ReadonlyMap<string, string>,
): Edge[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map((at) => ({ target: join(dirname(file), at.specifier), at }))
    .filter(({ target }) => sources.has(target))
}

/** One line for each import that closes a circle. */
function findCycles(graph: ReadonlyMap<string, readonly Edge[]>): string[] {
  const problems: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    path.push(file)
    for (const { target, at } of graph.get(file) ?? []) {
      const start = path.indexOf(target)
      if (start >= 0) {
        const circle = [...path.slice(start), target].join(' → ')
        problems.push(`${file}:${at.line}:${at.column} import cycle: ${circle}`)
      } else if (!done.has(target)) visit(target)
    }
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) if (!done.has(file)) visit(file)
  return problems
}

if (import.meta.main) {
  const files = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}']).toSorted()
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const problems = checkBoundaries(sources, boundaries)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`${files.length} files keep to their rooms`)
}
