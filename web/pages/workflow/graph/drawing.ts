import type { JobGroups } from '../../../../src/analysis/workflow/graph/job-groups.ts'
import {
  layeredLayout,
  type GraphLayout,
  type Point,
} from '../../../../src/analysis/workflow/graph/layered-layout.ts'
import type { Box, JobPlace } from './boxes.ts'

/** Where everything of a graph is. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly boxes: readonly (Box & Point)[]
  readonly lines: readonly Line[]
  /** Where a job is, or the closed box that it is in. */
  readonly placeOf: (job: number) => Place
}

export interface Line {
  readonly path: string
  /** The jobs at its ends: one each, or all between two groups. */
  readonly from: readonly number[]
  readonly to: readonly number[]
}

type Place = Pick<JobPlace, 'x' | 'y' | 'width' | 'height'>

const gaps = { layer: 72, node: 26 } as const
const narrowGaps = { layer: 44, node: 18 } as const
/** More lines between two groups than this are drawn as one. */
const mostJobLines = 40

/** Draws from left to right; in a narrow window from above to below. */
export function drawingOf(groups: JobGroups, boxes: readonly Box[], isNarrow: boolean): Drawing {
  const layout = isNarrow
    ? turned(layeredLayout(boxes.map(turnedSize), groups.edges, narrowGaps))
    : layeredLayout(boxes, groups.edges, gaps)
  const placed = boxes.map((box, index) => ({
    ...box,
    ...(layout.places[index] ?? { x: 0, y: 0 }),
  }))
  const places = new Map(
    placed.flatMap((box) =>
      box.jobs.map((place) => [place.job, { ...place, x: box.x + place.x, y: box.y + place.y }]),
    ),
  )
  const placeOf = (job: number): Place =>
    places.get(job) ?? placed[groups.groupOf[job] ?? 0] ?? { x: 0, y: 0, width: 0, height: 0 }
  const lines = groups.edges.flatMap(([from, to], index): Line[] => {
    const way = layout.ways[index] ?? []
    const pairs = isNarrow || way.length > 2 ? null : jobPairs(groups, boxes, from, to)
    if (pairs === null)
      return [
        {
          path: curve(way, isNarrow),
          from: groups.groups[from]?.jobs ?? [],
          to: groups.groups[to]?.jobs ?? [],
        },
      ]
    return pairs.map(([a, b]) => ({
      path: lineBetween(placeOf(a), placeOf(b)),
      from: [a],
      to: [b],
    }))
  })
  const inner = isNarrow ? [] : boxes.flatMap((box) => innerLines(box, groups, placeOf))
  return {
    width: layout.width,
    height: layout.height,
    boxes: placed,
    lines: [...lines, ...inner],
    placeOf,
  }
}

/** Each dependency between the jobs of two boxes, where both show their jobs by name and they are few; null else. */
function jobPairs(
  { groups, waitsFor, groupOf }: JobGroups,
  boxes: readonly Box[],
  from: number,
  to: number,
): [number, number][] | null {
  const areNamed = [from, to].every((at) => ['job', 'names'].includes(boxes[at]?.kind ?? ''))
  if (!areNamed) return null
  const pairs = (groups[to]?.jobs ?? []).flatMap((job) =>
    (waitsFor[job] ?? [])
      .filter((before) => groupOf[before] === from)
      .map((before): [number, number] => [before, job]),
  )
  return pairs.length <= mostJobLines ? pairs : null
}

function innerLines(
  { kind, jobs }: Box,
  { waitsFor }: JobGroups,
  placeOf: Drawing['placeOf'],
): Line[] {
  if (kind !== 'names') return []
  const own = new Set(jobs.map(({ job }) => job))
  return jobs.flatMap(({ job }) =>
    (waitsFor[job] ?? [])
      .filter((before) => own.has(before))
      .map((before) => ({
        path: lineBetween(placeOf(before), placeOf(job)),
        from: [before],
        to: [job],
      })),
  )
}

/** From the right side of one to the left side of the other; where the other is below, from side to side all the same. */
export const lineBetween = (from: Place, to: Place): string =>
  curve(
    [
      { x: from.x + from.width, y: from.y + from.height / 2 },
      { x: to.x, y: to.y + to.height / 2 },
    ],
    false,
  )

/** A line that leaves and arrives straight, and bends between. */
function curve(points: readonly Point[], isDown: boolean): string {
  const [first, ...others] = points
  if (first === undefined) return ''
  let at = first
  const text = (value: number): string => value.toFixed(1)
  const bends = others.map((to) => {
    const half = isDown ? (to.y - at.y) / 2 : Math.max(24, (to.x - at.x) / 2)
    const bend = isDown
      ? `C${text(at.x)} ${text(at.y + half)} ${text(to.x)} ${text(to.y - half)} `
      : `C${text(at.x + half)} ${text(at.y)} ${text(to.x - half)} ${text(to.y)} `
    at = to
    return `${bend}${text(to.x)} ${text(to.y)}`
  })
  return `M${text(first.x)} ${text(first.y)}${bends.join('')}`
}

const turnedSize = ({ width, height }: Box) => ({ width: height, height: width })

function turned({ width, height, places, ways }: GraphLayout): GraphLayout {
  const turn = ({ x, y }: Point): Point => ({ x: y, y: x })
  return {
    width: height,
    height: width,
    places: places.map(turn),
    ways: ways.map((way) => way.map(turn)),
  }
}
