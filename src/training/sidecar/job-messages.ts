import type { OutcomeStatus } from '../../model/outcome.ts'
import { eachJob, JobMonitor, type HistoryQuery } from '../../monitor/job-monitor.ts'
import type { JobStatusDetails } from '../../monitor/job-status.ts'
import type { JobTracker } from '../../monitor/job-tracker.ts'
import type { Logger } from '../../monitor/log-lines.ts'
import { MessageError, type Fields } from './message.ts'
import type { Handlers, SidecarContext } from './handlers.ts'
import { Histories } from './histories.ts'

/** The messages of jobs. Monitors that have the same settings are one. */
export function jobMessages(context: SidecarContext): Handlers {
  const monitors = new Map<string, JobMonitor>()
  /** Of jobs that overlap under one task id, each by a name that the client chooses. */
  const trackers = new Map<string, JobTracker>()
  const ended = (name: string, status: OutcomeStatus, details: JobStatusDetails) => {
    const tracker = trackers.get(name)
    if (tracker === undefined) throw new MessageError(`tracker "${name}" is not running`)
    tracker.setStatus(status, details)
    trackers.delete(name)
    return tracker.end()
  }
  const histories = new Histories()
  const monitorFor = (fields: Fields): JobMonitor => {
    const logDir = fields.text('log_dir')
    const ledger = fields.text('ledger')
    const enableProfiling = fields.flag('enable_profiling')
    const key = JSON.stringify([logDir, ledger, enableProfiling])
    const monitor =
      monitors.get(key) ??
      new JobMonitor({
        pid: context.pid,
        logger: loggerTo(context),
        ...(logDir === undefined ? {} : { logDir }),
        ...(ledger === undefined ? {} : { ledger }),
        ...(enableProfiling === undefined ? {} : { enableProfiling }),
      })
    monitors.set(key, monitor)
    return monitor
  }
  return {
    async job_start(fields) {
      const script = fields.text('script')
      const job = {
        taskId: fields.requiredText('task_id'),
        tool: fields.requiredText('tool'),
        params: fields.record('params') ?? {},
        ...(script === undefined ? {} : { script }),
      }
      const name = fields.text('tracker')
      if (name === undefined) await monitorFor(fields).startMonitoring(job)
      else trackers.set(name, monitorFor(fields).trackJob(job))
      return {}
    },
    async job_stop(fields) {
      const status = (fields.text('status') ?? 'success') as OutcomeStatus
      const details = { returncode: fields.number('returncode'), error: fields.text('error') }
      const name = fields.text('tracker')
      if (name !== undefined) return { ...(await ended(name, status, details)) }
      const taskId = fields.requiredText('task_id')
      return { ...(await monitorFor(fields).stopMonitoring({ taskId, status, ...details })) }
    },
    async job_history(fields) {
      const next = fields.text('next')
      if (next !== undefined) return histories.goOn(next)
      const asked = historyQuery(fields)
      const monitor = monitorFor(fields)
      return fields.flag('in_portions') === true
        ? histories.begin(eachJob(monitor, asked))
        : { jobs: await monitor.getJobHistory(asked) }
    },
    async job_stats(fields) {
      const found = await monitorFor(fields).getJobStats(fields.requiredText('task_id'))
      return { job: found ?? null }
    },
    async job_summary(fields) {
      return { ...(await monitorFor(fields).getSummaryStatistics()) }
    },
  }
}

function historyQuery(fields: Fields): HistoryQuery {
  const query = {
    limit: fields.number('limit'),
    tool: fields.text('tool'),
    status: fields.text('status'),
  }
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

function loggerTo({ send }: SidecarContext): Logger {
  const at = (level: keyof Logger) => (message: string) => send({ type: 'log', level, message })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
