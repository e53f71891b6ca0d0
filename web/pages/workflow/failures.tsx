import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count } from '../../../src/model/count.ts'
import type { Utilization } from '../../../src/server/schemas/requests.ts'
import { askText } from '../../api.ts'
import { useAsked } from '../../asked.ts'
import { resets } from '../../live/stream.ts'
import { Section } from '../../parts/section.tsx'
import { Status } from '../../parts/status.tsx'
import type { WorkflowNow } from './read.ts'

type Failed = Utilization['failed_jobs'][number]

/** So many are shown at first, each with the end of what it wrote. */
const shownFirst = 2

/** What did not succeed, before all else: why, and the last that it said. */
export function Failures({ workflow }: { readonly workflow: WorkflowNow }) {
  const { path, progress, jobs } = workflow
  const isAll = useSignal(false)
  const again = `${resets.value} ${progress.run_id} ${progress.failed}`
  const hasFailed = progress.failed > 0
  const { value } = useAsked<Utilization>(
    hasFailed ? `${path}/utilization?include_failed=true` : undefined,
    again,
  ).value
  if (!hasFailed || value === undefined) return null
  // Those that were run again since are no failures any more.
  const still = new Map(jobs?.map((job) => [job.jobId, job]))
  const failed = value.failed_jobs.filter(({ job_id: id, status }) => {
    const state = still.get(id)?.state
    return status !== 'cancelled' && state !== 'success' && state !== 'running'
  })
  const cancelled = progress.states.cancelled ?? 0
  const shown = isAll.value ? failed : failed.slice(0, shownFirst)
  return (
    <Section id="failures" title="What did not succeed, and why">
      {shown.length > 0 && (
        <ul class="lines failure-list">
          {shown.map((each) => (
            <Failure
              key={`${each.job_id}.${each.attempt}`}
              failed={each}
              taskId={still.get(each.job_id)?.taskId ?? null}
            />
          ))}
        </ul>
      )}
      {failed.length > shown.length && (
        <button type="button" class="more" onClick={() => (isAll.value = true)}>
          Show all {failed.length}
        </button>
      )}
      {cancelled > 0 && (
        <p class="quiet">
          {count(cancelled, 'job')} {cancelled === 1 ? 'was' : 'were'} cancelled
          {failed.length > 0 ? ': what waits for a job that failed does not start' : ''}.
        </p>
      )}
    </Section>
  )
}

function Failure({ failed, taskId }: { readonly failed: Failed; readonly taskId: string | null }) {
  return (
    <li class="failure">
      <div class="failure-head">
        {taskId === null ? (
          <strong>{failed.job_name}</strong>
        ) : (
          <a data-row href={`/jobs/${taskId}`}>
            {failed.job_name}
          </a>
        )}
        <Status status={failed.status} />
        {failed.attempt > 1 && <small>after {count(failed.attempt, 'attempt')}</small>}
      </div>
      <p>
        {failed.probable_cause}
        {failed.evidence !== '' && <small> {failed.evidence}</small>}
      </p>
      {taskId !== null && <LogEnd taskId={taskId} name={failed.job_name} />}
    </li>
  )
}

const [mostBytes, mostLines] = [2000, 8] as const

/** The end of its errors, or where it wrote none, of its output. */
function LogEnd({ taskId, name }: { readonly taskId: string; readonly name: string }) {
  const text = useSignal('')
  useEffect(() => {
    const controller = new AbortController()
    const read = async (): Promise<void> => {
      for (const stream of ['stderr', 'stdout']) {
        try {
          const end = await askText(`/jobs/${taskId}/logs/${stream}?tail=${mostBytes}`, controller)
          text.value = lastLines(end)
          if (text.value !== '') return
        } catch {
          // A job that wrote nothing has no log.
        }
      }
    }
    void read()
    return () => controller.abort()
  }, [taskId])
  if (text.value === '') return null
  return (
    <pre class="log log-end" tabIndex={0} aria-label={`The last that ${name} wrote`}>
      {text.value}
    </pre>
  )
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-mostLines).join('\n')
