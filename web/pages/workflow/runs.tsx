import { rows } from '../../../src/browser/report/table-parts.ts'
import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { shortTime } from '../../../src/render/units/zoned-time.ts'
import { momentSeconds } from '../../moment.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Section } from '../../parts/section.tsx'
import type { WorkflowNow } from './read.ts'

/** Each time that it was run, the newest first. */
export function Runs({ workflow: { id, head, progress } }: { readonly workflow: WorkflowNow }) {
  if (head.runs.length === 0)
    return (
      <Empty title="It has not run yet" command={`jobmeter run-jobs ${id}`}>
        Each run is listed here, with when it was and where its output is.
      </Empty>
    )
  const lines = head.runs.toReversed().map((run, index) => {
    const [from, to] = [momentSeconds(run.started_at), momentSeconds(run.ended_at)]
    const isNow = index === 0 && progress.is_being_run
    return [
      `Run ${run.run_id}`,
      from === null ? '–' : shortTime(from, 'local'),
      isNow ? 'runs now' : to === null ? 'not known' : shortTime(to, 'local'),
      from === null || to === null ? '–' : briefSeconds(Math.max(0, to - from)) || '0s',
      run.host,
      run.output_directory,
    ]
  })
  return (
    <Section id="runs" title="Runs">
      <Drawn
        of={JSON.stringify(lines)}
        make={() => [
          rows(
            'Runs of the workflow',
            [['Run'], ['Started'], ['Ended'], ['Took', 'figure'], ['Host'], ['Output']],
            lines,
          ),
        ]}
      />
    </Section>
  )
}
