import { dropReasons, failureReasons, type RemoteState } from '../../model/remote-state.ts'
import type { FamilyOf } from './family.ts'
import { counter, gauge } from './family-kinds.ts'

type States = readonly RemoteState[]

const byTarget = ['target'] as const

const counted = (
  name: string,
  help: string,
  valueOf: (state: RemoteState) => number,
): FamilyOf<States> =>
  counter(`jobmeter_remote_${name}`, byTarget, help, (states) =>
    states.map((state) => ({
      labels: { target: state.target },
      value: valueOf(state),
      createdAt: state.startedAt,
    })),
  )

const now = (
  name: string,
  help: string,
  valueOf: (state: RemoteState) => number | null,
): FamilyOf<States> =>
  gauge(`jobmeter_remote_${name}`, byTarget, help, (states) =>
    states.map((state) => ({ labels: { target: state.target }, value: valueOf(state) })),
  )

/** How the sending of metrics goes. */
export const remoteFamilies: readonly FamilyOf<States>[] = [
  counted('samples_sent', 'Samples that the target has taken.', ({ samplesSent }) => samplesSent),
  counted('requests', 'Requests to the target.', ({ requests }) => requests),
  counted(
    'sent_bytes',
    'Bytes of the bodies of requests, compressed.',
    ({ bytesSent }) => bytesSent,
  ),
  counter(
    'jobmeter_remote_failures',
    ['target', 'reason'],
    'Requests without success, by reason (no_answer, too_many, server_error, refused, secret).',
    (states) =>
      states.flatMap(({ target, failures, startedAt }) =>
        failureReasons.map((reason) => ({
          labels: { target, reason },
          value: failures[reason],
          createdAt: startedAt,
        })),
      ),
  ),
  counter(
    'jobmeter_remote_samples_dropped',
    ['target', 'reason'],
    'Samples that never arrive, by reason (buffer_full, refused, broken, unwritable).',
    (states) =>
      states.flatMap(({ target, samplesDropped, startedAt }) =>
        dropReasons.map((reason) => ({
          labels: { target, reason },
          value: samplesDropped[reason],
          createdAt: startedAt,
        })),
      ),
  ),
  now('waiting_batches', 'Batches that wait on disk to be sent.', (state) => state.waitingBatches),
  now('waiting_bytes', 'Bytes of what waits on disk to be sent.', (state) => state.waitingBytes),
  now('lag_seconds', 'How long the oldest batch has waited.', ({ lagSeconds }) => lagSeconds),
  now(
    'last_sent_time_seconds',
    'When the target last took something, in seconds since 1970.',
    ({ lastSentAt }) => lastSentAt,
  ),
]
