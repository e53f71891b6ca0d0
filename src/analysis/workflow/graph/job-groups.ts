import { knots } from './knots.ts'

/** A job of a workflow, as its graph needs it. */
export interface GraphJob {
  readonly name: string
  /** Its name as the file has it: `train_{i}`. */
  readonly template: string
  readonly dependsOn: readonly string[]
}

/** Jobs that are drawn as one. */
export interface JobGroup {
  /** What they have in common; of jobs of several templates that wait for each other in turn, all of these. */
  readonly names: readonly string[]
  /** Their places in the list of jobs, in its order. */
  readonly jobs: readonly number[]
}

export interface JobGroups {
  /** In the order of their first jobs. */
  readonly groups: readonly JobGroup[]
  /** For each job, the place of its group. */
  readonly groupOf: readonly number[]
  /** Which group waits for which, each pair once: they go one way only, and there is no circle. */
  readonly edges: readonly (readonly [from: number, to: number])[]
  /** For each job, the places of the jobs that it waits for. */
  readonly waitsFor: readonly (readonly number[])[]
}

/** More boxes than this are no longer read at a glance. */
const mostGroups = 80

/** Ways to put jobs together, the one that says most first. Files that other programs write have no parameters. */
const ways: readonly ((job: GraphJob) => string)[] = [
  ({ template }) => template,
  ({ template }) => template.replaceAll(/\d+/g, '#'),
  ({ template }) => /^[^\W_]+/.exec(template.replaceAll(/\d+/g, '#'))?.[0] ?? template,
]

/** Puts jobs together that come of one template. */
export function groupJobs(jobs: readonly GraphJob[]): JobGroups {
  const waitsFor = dependencies(jobs)
  const grouped = ways.map((way) => names(jobs, way))
  const chosen = grouped.find(({ size }) => size <= mostGroups) ?? grouped.at(-1) ?? new Map()
  return withoutCircles([...chosen], waitsFor, jobs.length)
}

function dependencies(jobs: readonly GraphJob[]): number[][] {
  const places = new Map(jobs.map(({ name }, place) => [name, place]))
  return jobs.map(({ dependsOn }) => dependsOn.flatMap((name) => places.get(name) ?? []))
}

const names = (jobs: readonly GraphJob[], way: (job: GraphJob) => string): Map<string, number[]> =>
  Map.groupBy(jobs.keys(), (place) => {
    const job = jobs[place]
    return job === undefined ? '' : way(job)
  })

/** Templates whose jobs wait for each other in turn (`a_1`, `b_1`, `a_2` …) become one group. */
function withoutCircles(
  named: readonly (readonly [name: string, jobs: readonly number[]])[],
  waitsFor: readonly (readonly number[])[],
  jobCount: number,
): JobGroups {
  const nameOf = Array.from({ length: jobCount }, () => 0)
  for (const [index, [, jobs]] of named.entries()) for (const job of jobs) nameOf[job] = index
  const before = named.map(([, jobs]) => [
    ...new Set(jobs.flatMap((job) => (waitsFor[job] ?? []).map((each) => nameOf[each] ?? 0))),
  ])
  const knotted = knots(before)
    .map((members) => members.toSorted((a, b) => a - b))
    .toSorted(([a = 0], [b = 0]) => a - b)
  const groups = knotted.map((members) => ({
    names: members.map((member) => named[member]?.[0] ?? ''),
    jobs: members.flatMap((member) => named[member]?.[1] ?? []).toSorted((a, b) => a - b),
  }))
  const groupOf = Array.from({ length: jobCount }, () => 0)
  for (const [index, { jobs }] of groups.entries()) for (const job of jobs) groupOf[job] = index
  return { groups, groupOf, edges: edgesBetween(groups, groupOf, waitsFor), waitsFor }
}

function edgesBetween(
  groups: readonly JobGroup[],
  groupOf: readonly number[],
  waitsFor: readonly (readonly number[])[],
): [number, number][] {
  return groups.flatMap(({ jobs }, to) => {
    const from = new Set(
      jobs.flatMap((job) => (waitsFor[job] ?? []).map((each) => groupOf[each] ?? 0)),
    )
    from.delete(to)
    return [...from].toSorted((a, b) => a - b).map((each): [number, number] => [each, to])
  })
}
