import { memo } from 'preact/compat'
import type { JobGroups } from '../../../../src/analysis/workflow/graph/job-groups.ts'
import { lineBetween, type Drawing, type Line } from './drawing.ts'

/** More lines than this from one job tell nothing. */
const mostShown = 120

/** What waits for what. */
export const Lines = memo(
  ({
    drawing,
    critical,
  }: {
    readonly drawing: Drawing
    readonly critical: ReadonlySet<number>
  }) => {
    const isCritical = ({ from, to }: Line): boolean =>
      from.some((job) => critical.has(job)) && to.some((job) => critical.has(job))
    const path = (lines: readonly Line[]): string => lines.map((line) => line.path).join('')
    return (
      <>
        <path class="graph-line" d={path(drawing.lines.filter((line) => !isCritical(line)))} />
        <path class="graph-line critical" d={path(drawing.lines.filter(isCritical))} />
      </>
    )
  },
  (a, b) => a.drawing === b.drawing && a.critical === b.critical,
)

/** What one job waits for, and what waits for it. */
export function JobLines({
  job,
  drawing,
  groups,
  dependents,
}: {
  readonly job: number
  readonly drawing: Drawing
  readonly groups: JobGroups
  readonly dependents: readonly (readonly number[])[]
}) {
  const own = drawing.placeOf(job)
  const before = (groups.waitsFor[job] ?? []).slice(0, mostShown)
  const after = (dependents[job] ?? []).slice(0, mostShown)
  const lines = new Set([
    ...before.map((each) => lineBetween(drawing.placeOf(each), own)),
    ...after.map((each) => lineBetween(own, drawing.placeOf(each))),
  ])
  return <path class="graph-line pointed" d={[...lines].join('')} />
}
