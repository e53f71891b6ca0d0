import { inMegabytes } from '../model/bytes.ts'
import {
  endedLeftText,
  killedForMemoryText,
  saysOutOfMemory,
  type Outcome,
  type Straggler,
} from '../model/outcome.ts'
import { signalNumber } from '../system/signals.ts'
import type { ChildEnd, SpawnResult } from '../system/system.ts'

/** Why a job was ended before its time. */
export type EndedBy =
  | { readonly kind: 'timeout'; readonly afterSeconds: number }
  | { readonly kind: 'memory'; readonly limitBytes: number; readonly seenBytes: number }
  | { readonly kind: 'user'; readonly signal: NodeJS.Signals }

export interface EndFacts {
  readonly end: ChildEnd
  readonly endedBy: EndedBy | null
  /** Processes that the kernel killed because the job's cgroup, or the machine, was out of memory. */
  readonly oomKills: number
  /** The memory limit at which it killed them; null where that was not the reason. */
  readonly limitMetBytes: number | null
  readonly stragglers: readonly Straggler[]
  /** How many processes were killed because they outlived the main one. */
  readonly endedAfterIt?: number
}

/** Names how a job ended. */
export function nameOutcome(facts: EndFacts): Outcome {
  const { end, endedBy, stragglers } = facts
  const common = { signal: end.signal, stragglers }
  if (endedBy?.kind === 'timeout')
    return {
      ...common,
      status: 'timeout',
      exitCode: 124,
      reason: [`over its time limit of ${endedBy.afterSeconds} s`, ...killedText(facts)].join('; '),
    }
  if (endedBy?.kind === 'memory')
    return {
      ...common,
      status: 'failed',
      exitCode: shellCode(end),
      reason: `out of memory: used ${inMegabytes(endedBy.seenBytes)}, over its limit of ${inMegabytes(endedBy.limitBytes)}`,
    }
  const exitCode = shellCode(end)
  if (exitCode === 0) {
    // It went on without the one that was killed: that the result is whole is not for us to say.
    const [reason = afterSignal(endedBy) ?? endedAfterText(facts)] = killedText(facts)
    return { ...common, status: 'success', exitCode, reason }
  }
  // Before what the kernel killed: until its user had enough, the job went on without that.
  if (endedBy?.kind === 'user' && wasCancelled(end, endedBy.signal))
    return {
      ...common,
      status: 'cancelled',
      exitCode,
      reason: [`cancelled by ${endedBy.signal}`, ...killedText(facts)].join('; '),
    }
  if (facts.oomKills > 0)
    return { ...common, status: 'failed', exitCode, reason: outOfMemory(facts) }
  return {
    ...common,
    status: 'failed',
    exitCode,
    reason: end.signal === null ? null : `ended by ${end.signal}`,
  }
}

/**
 * The same where the kernel has killed processes for memory in a cgroup that others made for the job, and which is not
 * looked at while it runs.
 */
export function namedWithKills(outcome: Outcome, killed: number): Outcome {
  if (killed === 0 || saysOutOfMemory(outcome.reason)) return outcome
  const { status, reason } = outcome
  if (status === 'success')
    return { ...outcome, reason: [killedForMemoryText(killed), reason ?? []].flat().join('; ') }
  return status === 'failed' ? { ...outcome, reason: killedByKernel } : outcome
}

const killedByKernel = 'out of memory: the kernel killed a process of the job'

/** A command that could not be started at all, with the code a shell would answer. */
export function nameFailedStart(result: SpawnResult & { kind: 'not-started' }): Outcome {
  const notFound = result.errorCode === 'ENOENT' || result.errorCode === 'ENOTDIR'
  return {
    status: 'error',
    exitCode: notFound ? 127 : 126,
    signal: null,
    reason: result.message,
    stragglers: [],
  }
}

/** A hang-up is news, not an order: a job that lived on after it has ended by itself. */
function wasCancelled(end: ChildEnd, signal: NodeJS.Signals): boolean {
  return (
    signal !== 'SIGHUP' || end.signal === signal || shellCode(end) === 128 + signalNumber(signal)
  )
}

/** So long after the end of a job, the signal of a key that seems to have ended it may still be on its way to us. */
const keyArrivesSeconds = 0.05
/** The kernel sends it to both before either can end, but where two threads of ours take it and the news of the end, either may be first. */
const keyOvertakenSeconds = 0.01

/**
 * How long to wait for Ctrl-C or Ctrl-\ after the end of a job that shares our terminal: many a program answers it with an exit
 * code of its own, and only that signal tells such an end from a failure.
 */
export function keyWaitSeconds(end: ChildEnd): number {
  const code = shellCode(end)
  if (code === 0) return 0
  const isAsByKey = keySignals.some((signal) => code === 128 + signalNumber(signal))
  return isAsByKey ? keyArrivesSeconds : keyOvertakenSeconds
}

const keySignals = ['SIGINT', 'SIGQUIT'] as const

function shellCode(end: ChildEnd): number {
  return end.signal === null ? (end.exitCode ?? 1) : 128 + signalNumber(end.signal)
}

const endedAfterText = ({ endedAfterIt = 0 }: EndFacts): string | null =>
  endedAfterIt === 0 ? null : endedLeftText(endedAfterIt)

function afterSignal(endedBy: EndedBy | null): string | null {
  return endedBy?.kind === 'user' ? `ended by itself after ${endedBy.signal}` : null
}

function killedText({ oomKills, limitMetBytes: limit }: EndFacts): string[] {
  if (oomKills === 0) return []
  const at = limit === null ? '' : ` at its limit of ${inMegabytes(limit)}`
  return [`${killedForMemoryText(oomKills)}${at}`]
}

function outOfMemory(facts: EndFacts): string {
  return facts.limitMetBytes === null
    ? killedByKernel
    : `out of memory: the kernel held it to its limit of ${inMegabytes(facts.limitMetBytes)}`
}
