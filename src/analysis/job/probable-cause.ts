import { signalOfExitCode } from '../../model/exit-signal.ts'
import type { Requirements } from '../../model/job.ts'
import { saysOutOfMemory, type AttemptStatus } from '../../model/outcome.ts'

/** Why an attempt probably failed. */
export type Cause =
  | 'out of memory'
  | 'over time'
  | 'killed'
  | 'cancelled'
  | 'crashed'
  | 'not started'
  | 'error of its own'

/** What speaks for a cause; whoever shows it finds the words. */
export type CauseEvidence =
  | { readonly kind: 'reason'; readonly text: string }
  | { readonly kind: 'memory'; readonly peakBytes: number; readonly requestedBytes: number }
  | { readonly kind: 'time'; readonly seconds: number; readonly requestedSeconds: number }
  | { readonly kind: 'killed for memory'; readonly processes: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'exit code'; readonly exitCode: number }

export interface ProbableCause {
  readonly cause: Cause
  readonly evidence: readonly CauseEvidence[]
}

export interface FailedFacts {
  readonly status: AttemptStatus
  readonly exitCode: number | null
  readonly signal: string | null
  readonly reason: string | null
  readonly requirements: Requirements
  readonly durationSeconds: number | null
  readonly memoryPeakBytes: number | null
  /** null where nobody counted them. */
  readonly processesKilledForMemory: number | null
}

const crashes = new Set(['SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'])

/** From this share of its runtime on, an attempt that failed probably ran into it. */
const nearRuntime = 0.9
/** Below this share of its request, memory is an unlikely reason to be killed. */
const nearMemory = 0.5

export function probableCause(facts: FailedFacts): ProbableCause {
  const { status, reason, exitCode } = facts
  const signal = facts.signal ?? signalOfExitCode(exitCode)
  const memory = memoryEvidence(facts)
  const time = timeEvidence(facts)
  const killed: CauseEvidence[] = signal === null ? [] : [{ kind: 'signal', signal }]
  const said: CauseEvidence[] = reason === null ? [] : [{ kind: 'reason', text: reason }]
  const of = (cause: Cause, ...evidence: readonly (readonly CauseEvidence[])[]): ProbableCause => ({
    cause,
    evidence: evidence.flat(),
  })
  const processes = facts.processesKilledForMemory
  const lost: CauseEvidence[] = processes ? [{ kind: 'killed for memory', processes }] : []
  // Who ended it is known: until then it had gone on without the processes that were killed for memory.
  const untold = saysOutOfMemory(reason) ? [] : lost
  if (status === 'timeout') return of('over time', said, time.items, untold)
  if (status === 'cancelled') return of('cancelled', said, untold)
  if (saysOutOfMemory(reason)) return of('out of memory', said, memory.items)
  if (lost.length > 0) return of('out of memory', lost, memory.items)
  if (status === 'error') return of('not started', said)
  if (status === 'interrupted') return of('killed', said)
  if (memory.share > 1) return of('out of memory', memory.items, killed)
  if (signal === 'SIGXCPU' || time.share >= nearRuntime) return of('over time', time.items, killed)
  // Where the kernel counted that it killed nobody for memory, somebody else sent it.
  if (signal === 'SIGKILL' && processes === null && !(memory.share < nearMemory))
    return of('out of memory', killed, memory.items)
  if (signal !== null)
    return of(crashes.has(signal) ? 'crashed' : 'killed', killed, memory.items, time.items)
  return of('error of its own', exitCode === null ? said : [{ kind: 'exit code', exitCode }])
}

interface Share {
  /** Of the request; NaN where there is no figure or no request. */
  readonly share: number
  readonly items: readonly CauseEvidence[]
}

const noShare: Share = { share: Number.NaN, items: [] }

function memoryEvidence({ memoryPeakBytes: peakBytes, requirements }: FailedFacts): Share {
  const requestedBytes = requirements.memoryBytes
  if (peakBytes === null || requestedBytes === null) return noShare
  return {
    share: peakBytes / requestedBytes,
    items: [{ kind: 'memory', peakBytes, requestedBytes }],
  }
}

function timeEvidence({ durationSeconds: seconds, requirements }: FailedFacts): Share {
  const requestedSeconds = requirements.runtimeSeconds
  if (seconds === null || requestedSeconds === null) return noShare
  return { share: seconds / requestedSeconds, items: [{ kind: 'time', seconds, requestedSeconds }] }
}
