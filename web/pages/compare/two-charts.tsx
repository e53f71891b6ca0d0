import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { OverTime } from '../job/over-time.tsx'

/** The two runs over time, each from its own start. */
export const TwoCharts = ({
  left,
  right,
}: {
  readonly left: RecordJson
  readonly right: RecordJson
}) => (
  <div class="sides">
    <OverTime taskId={left.task_id} name="A" />
    <OverTime taskId={right.task_id} name="B" />
  </div>
)
