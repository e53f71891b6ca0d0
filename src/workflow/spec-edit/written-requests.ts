import { checkSpec } from '../spec/checked-spec.ts'
import { expand, sharedParameters, type Shared } from '../spec/expand.ts'
import { readJson, readJson5 } from '../spec/json-reader.ts'
import { readKdl } from '../spec/kdl-reader.ts'
import { Room } from '../spec/room.ts'
import { Problems } from '../spec/problem.ts'
import type { MapNode, ReadDocument, SpecNode, SpecPath } from '../spec/spec-node.ts'
import { readYaml } from '../spec/yaml-reader.ts'
import { json5Format, jsonFormat } from './json-mapping.ts'
import { kdlFormat } from './kdl-mapping.ts'
import type { EditFormat } from './written-mapping.ts'
import { yamlFormat } from './yaml-mapping.ts'

/** What a file asks for in one place. */
export interface WrittenRequest {
  /** `named` stands in `resource_requirements`, `own` in a job. */
  readonly kind: 'named' | 'own'
  /** Its name; for a job's own, the name of the job as it is written, such as `train_{i}`. */
  readonly name: string
  /** The jobs that it rules, after parameters were filled in. */
  readonly jobs: readonly string[]
  readonly mapping: MapNode
}

interface SpecFormat {
  readonly read: (text: string) => ReadDocument
  readonly edit: EditFormat
}

const yaml: SpecFormat = { read: readYaml, edit: yamlFormat }
const formats = new Map<string, SpecFormat>([
  ['yaml', yaml],
  ['yml', yaml],
  ['json', { read: readJson, edit: jsonFormat }],
  ['json5', { read: readJson5, edit: json5Format }],
  ['kdl', { read: readKdl, edit: kdlFormat }],
])

export const formatOf = (fileName: string): SpecFormat | undefined =>
  formats.get(/\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '')

/** A file that can be read, with what is needed to fill in the parameters of its jobs. */
function readExpandable(text: string, fileName: string) {
  const root = formatOf(fileName)?.read(text).root
  if (root?.kind !== 'map') return null
  const problems = new Problems(fileName, root)
  const spec = checkSpec(root, problems)
  const shared: Shared = {
    parameters: sharedParameters(spec.head.parameters, problems),
    variables: spec.head.variables ?? {},
    room: new Room(),
  }
  return { root, spec, shared, problems }
}

/** What each job of a file is called there, before parameters were filled in: `train_{i}` for `train_7`. */
export function writtenNames(text: string, fileName: string): ReadonlyMap<string, string> {
  const read = readExpandable(text, fileName)
  if (read === null) return new Map()
  const { spec, shared, problems } = read
  return new Map(
    spec.jobs.flatMap((job) =>
      (expand(job, shared, problems) ?? []).map(({ name }) => [name, job.spec.name] as const),
    ),
  )
}

/**
 * Every mapping of requests in a file that is sound, with the jobs it rules, in the order of the file. One that
 * several jobs share through an alias is there once.
 */
export function writtenRequests(text: string, fileName: string): readonly WrittenRequest[] {
  const read = readExpandable(text, fileName)
  if (read === null) return []
  const { root, spec, shared, problems } = read
  const named = new Map<string, string[]>()
  const own = new Map<SpecNode, { name: string; jobs: string[] }>()
  for (const job of spec.jobs) {
    const asked = job.spec.resource_requirements
    const expanded = asked === undefined ? [] : (expand(job, shared, problems) ?? [])
    for (const { name, source, values } of expanded) {
      if (typeof asked === 'string')
        entryOf(named, source.fill(asked, values, ['resource_requirements']), () => []).push(name)
      else {
        const node = nodeAt(root, [...job.path, 'resource_requirements'])
        if (node !== undefined)
          entryOf(own, node, () => ({ name: job.spec.name, jobs: [] })).jobs.push(name)
      }
    }
  }
  const byName = spec.requirements.map(({ path, spec: { name } }) => ({
    kind: 'named' as const,
    name,
    jobs: named.get(name) ?? [],
    mapping: nodeAt(root, path),
  }))
  const byJob = [...own].map(([mapping, rest]) => ({ kind: 'own' as const, ...rest, mapping }))
  return [...byName, ...byJob].flatMap(({ mapping, ...rest }) =>
    mapping?.kind === 'map' ? [{ ...rest, mapping }] : [],
  )
}

function nodeAt(root: SpecNode, path: SpecPath): SpecNode | undefined {
  return path.reduce<SpecNode | undefined>((node, step) => {
    if (node?.kind === 'map') return node.entries.get(String(step))?.value
    return node?.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined
  }, root)
}

function entryOf<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
