import type { JobGroups } from '../../../../src/analysis/workflow/graph/job-groups.ts'
import { setQuery } from '../../../route.ts'
import { openText } from './boxes.ts'
import type { Viewport } from './viewport.ts'

/** What the keys do, for the mouse. */
export function GraphTools({
  port,
  groups: { groups },
  open,
}: {
  readonly port: Viewport
  readonly groups: JobGroups
  readonly open: ReadonlySet<number>
}) {
  const several = [...groups.keys()].filter((at) => (groups[at]?.jobs.length ?? 0) > 1)
  const areOpen = several.every((at) => open.has(at))
  return (
    <div class="graph-tools actions">
      {several.length > 0 && (
        <button
          type="button"
          onClick={() => setQuery({ open: openText(new Set(areOpen ? [] : several)) })}
        >
          {areOpen ? 'Close all' : 'Open all'}
        </button>
      )}
      <button type="button" onClick={port.fit}>
        Show all
      </button>
      <button type="button" aria-label="Smaller" onClick={() => port.zoom('out')}>
        −
      </button>
      <button type="button" aria-label="Larger" onClick={() => port.zoom('in')}>
        +
      </button>
    </div>
  )
}
