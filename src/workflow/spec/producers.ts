import type { JobSpec } from './definition.ts'
import type { Expanded, Source } from './expand.ts'
import { noIndices, type Indices } from './name-index.ts'
import type { Problems } from './problem.ts'

export interface Producer {
  readonly expanded: Expanded<JobSpec>
  readonly outputs: Indices
}

/** Which job writes each file, or each piece of user data. Two that write the same would race. */
export class Producers {
  readonly #byOutput = new Map<number, number>()
  readonly #ofInputs = new Map<Indices, Indices>()

  constructor(
    kind: 'file' | 'user data',
    things: readonly { readonly name: string }[],
    jobs: readonly Producer[],
    problems: Problems,
  ) {
    const reported = new Set<Source<JobSpec>>()
    jobs.forEach(({ expanded, outputs }, position) => {
      for (const output of outputs) {
        const other = jobs[this.#byOutput.get(output) ?? -1]?.expanded
        if (other === undefined) this.#byOutput.set(output, position)
        else if (!reported.has(expanded.source)) {
          reported.add(expanded.source)
          const what = `the ${kind} ${JSON.stringify(things[output]?.name)}`
          reportSecond(expanded, other, what, problems)
        }
      }
    })
  }

  producerOf(output: number): number | undefined {
    return this.#byOutput.get(output)
  }

  /** The jobs that write any of these; the same list for the same list. */
  of(inputs: Indices): Indices {
    if (inputs.length === 0) return noIndices
    const known = this.#ofInputs.get(inputs)
    if (known !== undefined) return known
    const producers = inputs.flatMap((input) => this.#byOutput.get(input) ?? [])
    const distinct = [...new Set(producers)].toSorted((a, b) => a - b)
    this.#ofInputs.set(inputs, distinct)
    return distinct
  }
}

function reportSecond(
  job: Expanded<JobSpec>,
  other: Expanded<JobSpec>,
  what: string,
  problems: Problems,
): void {
  const { path } = job.source
  if (job.source === other.source) {
    const both = `${JSON.stringify(other.name)} and ${JSON.stringify(job.name)}`
    return problems.atValue(path, `${both} both write ${what}`)
  }
  const writer = `${JSON.stringify(other.name)} (${problems.mention(other.source.path)})`
  problems.atValue(path, `${JSON.stringify(job.name)} writes ${what}, and so does ${writer}`)
}
