import type { LiveAlert, LiveAttempt, LiveEvent, LiveWorkflow } from '../../model/live.ts'
import { alertJson } from '../alerts/alert-json.ts'
import { listedJobJson } from '../record/listed-job-json.ts'

/** An event as it is sent: one line of JSON, with the keys that lists and samples have. */
export const liveText = (event: LiveEvent): string => JSON.stringify(liveJson(event))

function liveJson(event: LiveEvent): object {
  switch (event.kind) {
    case 'reset':
      return {}
    case 'attempt':
      return {
        change: event.change,
        job: attemptJson(event.attempt),
        machine: machineJson(event.attempt),
      }
    case 'samples':
      return {
        task_id: event.taskId,
        columns: event.columns,
        first_row: event.firstRow,
        rows: event.rows,
        devices: event.devices.map(({ kind, id, columns, firstRow, rows }) => ({
          kind,
          id,
          columns,
          first_row: firstRow,
          rows,
        })),
      }
    case 'workflow':
      return { workflow: progressJson(event.workflow) }
    case 'alert':
      return { change: event.change, alert: liveAlertJson(event.alert) }
  }
}

const attemptJson = (attempt: LiveAttempt): object =>
  listedJobJson({ ...attempt, host: attempt.machine.host })

/** What its use can be compared with where it asked for nothing. */
const machineJson = ({ machine }: LiveAttempt): object => ({
  cores: machine.cores,
  memory_bytes: machine.memoryBytes,
})

/** Who delivers it where is told by the list of alerts. */
const liveAlertJson = (alert: LiveAlert): object => ({
  ...alertJson({ ...alert, deliveries: [] }),
  deliveries: undefined,
})

export const progressJson = (workflow: LiveWorkflow): object => ({
  workflow_id: workflow.workflowId,
  name: workflow.name,
  user: workflow.user,
  states: workflow.states,
  total: workflow.total,
  done: workflow.done,
  failed: workflow.failed,
  running: workflow.running,
  run_id: workflow.runId,
  run_started_at: workflow.runStartedAt,
  run_ended_at: workflow.runEndedAt,
  is_being_run: workflow.isBeingRun,
  estimate:
    workflow.estimate === null
      ? null
      : {
          ends_at: workflow.estimate.endsAt,
          earliest_at: workflow.estimate.earliestAt,
          latest_at: workflow.estimate.latestAt,
          basis: workflow.estimate.basis,
        },
})
