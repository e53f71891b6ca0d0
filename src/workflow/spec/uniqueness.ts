import type { Expanded } from './expand.ts'
import type { Problems } from './problem.ts'
import type { SpecPath } from './spec-node.ts'

interface Named {
  readonly name: string
  readonly path: SpecPath
}

/** Reports names that are there twice, once for each pair of places. */
export function reportRepeated(kind: string, things: readonly Named[], problems: Problems): void {
  const first = new Map<string, Named>()
  const reported = new Set<SpecPath>()
  for (const thing of things) {
    const other = first.get(thing.name)
    if (other === undefined) first.set(thing.name, thing)
    else if (!reported.has(thing.path)) {
      reported.add(thing.path)
      problems.atValue([...thing.path, 'name'], ...repeated(kind, thing, other, problems))
    }
  }
}

function repeated(
  kind: string,
  thing: Named,
  other: Named,
  problems: Problems,
): [message: string, suggestion: string | null] {
  const name = JSON.stringify(thing.name)
  if (thing.path !== other.path) {
    return [`${name} is also the name of ${problems.mention(other.path)}`, null]
  }
  const message = `expands to more than one ${kind} named ${name}`
  return [message, 'Put every parameter into the name, such as {i}.']
}

export const placed = <T>({ name, source }: Expanded<T>): Named => ({ name, path: source.path })
