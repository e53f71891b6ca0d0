import type { JobGroups } from '../../../../src/analysis/workflow/graph/job-groups.ts'
import type { Size } from '../../../../src/analysis/workflow/graph/layered-layout.ts'
import { layersOf, type Edge } from '../../../../src/analysis/workflow/graph/layers.ts'

/** How a group of jobs is drawn: one job, a closed box with counts, a list of names, or a field of small marks. */
export type BoxKind = 'job' | 'closed' | 'names' | 'marks'

export interface Box extends Size {
  readonly kind: BoxKind
  /** Where each of its jobs is within it, in their order; none in a closed box. */
  readonly jobs: readonly JobPlace[]
}

export interface JobPlace extends Size {
  readonly job: number
  readonly x: number
  readonly y: number
}

/** As style/workflow.css has them. */
const sizes = {
  box: 264,
  head: 78,
  closed: 84,
  pad: 12,
  name: { width: 240, height: 32, gap: 6 },
  mark: { side: 18, pitch: 22 },
} as const

/** More names than this are no list that anybody reads. */
const mostNames = 24
const mostColumns = 4

export function boxesOf(groups: JobGroups, open: ReadonlySet<number>, isNarrow: boolean): Box[] {
  return groups.groups.map(({ jobs }, index) => {
    if (jobs.length === 1)
      return { ...single, jobs: [{ ...single, job: jobs[0] ?? 0, x: 0, y: 0 }] }
    if (!open.has(index))
      return { kind: 'closed', width: sizes.box, height: sizes.closed, jobs: [] }
    const columns = innerColumns(jobs, groups)
    const isListed = jobs.length <= mostNames && columns.length <= (isNarrow ? 1 : mostColumns)
    return isListed ? namesBox(columns) : marksBox(jobs, isNarrow)
  })
}

const single = { kind: 'job', width: sizes.box, height: 44 } as const

/** Jobs of one group may wait for each other: then they stand in columns, one after the other. */
function innerColumns(jobs: readonly number[], { waitsFor }: JobGroups): number[][] {
  const place = new Map(jobs.map((job, index) => [job, index]))
  const edges = jobs.flatMap((job, to) =>
    (waitsFor[job] ?? []).flatMap((before): Edge[] => {
      const from = place.get(before)
      return from === undefined ? [] : [[from, to]]
    }),
  )
  if (edges.length === 0) return [[...jobs]]
  const columns: number[][] = []
  for (const [index, layer] of layersOf(jobs.length, edges).entries())
    (columns[layer] ??= []).push(jobs[index] ?? 0)
  return columns
}

function namesBox(columns: readonly (readonly number[])[]): Box {
  const { width, height, gap } = sizes.name
  const between = 28
  const rows = columns.reduce((most, column) => Math.max(most, column.length), 0)
  return {
    kind: 'names',
    width: 2 * sizes.pad + columns.length * width + (columns.length - 1) * between,
    height: sizes.head + rows * (height + gap) - gap + sizes.pad,
    jobs: columns.flatMap((column, at) =>
      column.map((job, row) => ({
        job,
        x: sizes.pad + at * (width + between),
        y: sizes.head + row * (height + gap),
        width,
        height,
      })),
    ),
  }
}

function marksBox(jobs: readonly number[], isNarrow: boolean): Box {
  const { side, pitch } = sizes.mark
  const fitting = Math.floor((sizes.box - 2 * sizes.pad + pitch - side) / pitch)
  const wanted = Math.ceil(Math.sqrt(jobs.length * 1.8))
  const perRow = isNarrow ? fitting + 3 : Math.max(fitting, Math.min(40, wanted))
  const rows = Math.ceil(jobs.length / perRow)
  return {
    kind: 'marks',
    width: Math.max(sizes.box, 2 * sizes.pad + perRow * pitch - (pitch - side)),
    height: sizes.head + rows * pitch - (pitch - side) + sizes.pad,
    jobs: jobs.map((job, index) => ({
      job,
      x: sizes.pad + (index % perRow) * pitch,
      y: sizes.head + Math.floor(index / perRow) * pitch,
      width: side,
      height: side,
    })),
  }
}

/** Small workflows are shown with all their jobs. */
const [fewJobs, fewInGroup] = [40, 12] as const

function openAtFirst({ groups, groupOf }: JobGroups): ReadonlySet<number> {
  if (groupOf.length > fewJobs) return new Set()
  return new Set([...groups.keys()].filter((at) => (groups[at]?.jobs.length ?? 0) <= fewInGroup))
}

/** `1.4`: the groups that are open, as the address has them; `-` is none. */
export const openIn = (text: string | null, groups: JobGroups): ReadonlySet<number> =>
  text === null
    ? openAtFirst(groups)
    : new Set(
        text
          .split('.')
          .filter((part) => /^\d+$/.test(part))
          .map(Number),
      )

export const openText = (open: ReadonlySet<number>): string =>
  [...open].toSorted((a, b) => a - b).join('.') || '-'
