import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { commandLine } from '../../../src/render/text/printable.ts'
import { durationBound } from '../../../src/render/units/usage-figure.ts'
import { formatSeconds } from '../../../src/render/units/figures.ts'
import { shortTime } from '../../../src/render/units/zoned-time.ts'
import { mayAct } from '../../me.ts'
import { momentSeconds } from '../../moment.ts'
import { Copy } from '../../parts/copy.tsx'
import { Status } from '../../parts/status.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { Title } from '../../parts/title.tsx'
import { CancelButton } from './cancel-button.tsx'
import { Fact } from '../../parts/fact.tsx'

/** What it was, how it ended and why, who ran it, where and when. */
export function JobHeader({
  record,
  isRunning,
  workflowId,
}: {
  readonly record: RecordJson
  readonly isRunning: boolean
  /** null for a single command. */
  readonly workflowId: number | null
}) {
  const status = isRunning ? 'running' : record.status
  const start = momentSeconds(record.start_time)
  const command = commandLine(record.command)
  return (
    <>
      <div class="page-head job-head">
        <Title name={record.name} />
        <Status status={status} />
        <div class="actions">
          <a class="button" href={`/api/v1/jobs/${record.task_id}`}>
            Raw record
          </a>
          {isRunning && mayAct() && <CancelButton taskId={record.task_id} name={record.name} />}
        </div>
      </div>
      {record.error !== null && !isRunning && (
        <p class={`why-ended ${record.status === 'success' ? 'warned' : ''}`}>{record.error}</p>
      )}
      <div class="command whole">
        <code>{command}</code>
        <Copy text={command} />
      </div>
      <dl class="facts">
        <Fact name="User">
          <a href={`/jobs?user=${encodeURIComponent(record.user)}`}>{record.user}</a>
        </Fact>
        <Fact name="Host">
          {record.host}, {record.cores} cores
        </Fact>
        <Fact name="Started">{start === null ? '–' : shortTime(start, 'local')}</Fact>
        <Fact name={isRunning ? 'Running for' : 'Took'}>
          {isRunning && start !== null ? (
            <Elapsed since={start} />
          ) : record.duration_seconds === null ? (
            '–'
          ) : (
            `${durationBound(record.status)}${formatSeconds(record.duration_seconds)}`
          )}
        </Fact>
        {record.returncode !== null && <Fact name="Exit code">{record.returncode}</Fact>}
        {record.signal !== null && <Fact name="Signal">{record.signal}</Fact>}
        {workflowId !== null && (
          <Fact name="Workflow">
            <a href={`/workflows/${workflowId}`}>{workflowId}</a>
          </Fact>
        )}
        {record.attempt > 1 && <Fact name="Attempt">{record.attempt}</Fact>}
        {record.tags.length > 0 && (
          <Fact name="Tags">
            {record.tags.map((tag) => (
              <a key={tag} class="tag plain" href={`/jobs?tag=${encodeURIComponent(tag)}`}>
                {tag}
              </a>
            ))}
          </Fact>
        )}
        <Fact name="Folder">{record.working_directory}</Fact>
        <Fact name="Task">{record.task_id}</Fact>
      </dl>
    </>
  )
}
