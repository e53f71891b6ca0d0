import { gigabyte, megabyte } from '../../model/bytes.ts'
import { certainValue } from '../../model/measured.ts'
import {
  containerMemoryLimitIn,
  memoryLimitIn,
  memoryLimitMetIn,
  nearMemoryLimit,
} from '../../model/usage.ts'
import { saysOutOfMemory } from '../../model/outcome.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { requestMargins } from '../policy.ts'

/** What is looked at of an attempt that may have run out of memory. */
export interface MemoryFacts {
  readonly reason: string | null
  readonly memoryPeakBytes: number | null
  readonly largestProcessPeakBytes: number | null
  readonly swapPeakBytes: number | null
  /** null where it may have been more than was read. */
  readonly cgroupMemoryPeakBytes: number | null
  readonly memoryLimitMetBytes: number | null
}

/** An attempt that ran out of memory, with what to ask for: the same wherever it is told. */
export interface OutOfMemory {
  /** Processes that the kernel killed; null where nobody counted them. */
  readonly killed: number | null
  /** The limit that it met; null where it met none, or that is not known. */
  readonly limitBytes: number | null
  /** What is to be larger: what it asks for, a limit that was set apart from that, or the limit of its container. */
  readonly raise: 'request' | 'limit' | 'container'
  /** null where neither a limit nor a size is known. */
  readonly askBytes: number | null
}

export function outOfMemory(record: AttemptRecord): OutOfMemory | undefined {
  const { reason, usage, requirements } = record
  const counted = usage.processesKilledForMemory.value
  const killed = counted === null ? null : Math.floor(counted)
  if (!saysOutOfMemory(reason) && !killed) return undefined
  const facts = {
    reason,
    memoryPeakBytes: usage.memoryPeakBytes.value,
    largestProcessPeakBytes: usage.largestProcessPeakBytes.value,
    swapPeakBytes: usage.swapPeakBytes.value,
    cgroupMemoryPeakBytes: certainValue(usage.cgroupMemoryPeakBytes),
    memoryLimitMetBytes: memoryLimitMetIn(usage),
  }
  const notEnough = notEnoughBytes(facts)
  const limitBytes = limitMetBytes(facts)
  const need = notEnough === null ? null : afterOutOfMemory(notEnough)
  const requested = requirements.memoryBytes ?? 0
  return {
    killed,
    limitBytes,
    raise: limitBytes === null ? 'request' : whatToRaise(record, limitBytes),
    askBytes: need === null ? null : need <= requested ? requested : roundMemory(need),
  }
}

/** A container may have been given a limit by its own command. One that was made of the request goes up with that. */
function whatToRaise(
  { usage, requirements }: AttemptRecord,
  limitBytes: number,
): OutOfMemory['raise'] {
  if (memoryLimitIn(usage) !== null) return 'limit'
  const isOfContainer = containerMemoryLimitIn(usage) === limitBytes
  return isOfContainer && requirements.memoryBytes !== limitBytes ? 'container' : 'request'
}

/** How much memory was not enough, for an attempt that ran out of it; null for others. */
export function outOfMemoryBytes(facts: MemoryFacts): number | null {
  return saysOutOfMemory(facts.reason) ? notEnoughBytes(facts) : null
}

/** The need of a job that ran out of memory when it had so much. */
export const afterOutOfMemory = (notEnough: number): number =>
  notEnough * requestMargins.afterOutOfMemory

/** The most that was ever reached: what it held, what was swapped out besides, and the limit that it met. */
function notEnoughBytes(facts: MemoryFacts): number | null {
  const held = Math.max(facts.memoryPeakBytes ?? 0, facts.largestProcessPeakBytes ?? 0)
  const most = Math.max(limitMetBytes(facts) ?? 0, held + (facts.swapPeakBytes ?? 0))
  return most > 0 ? most : null
}

/**
 * The limit that it met; null where it met none, or that is not known. Records of containers, and those of before the figure,
 * have it in their reason alone; and the latter also if the whole machine was out of memory, which the peak tells.
 */
export function limitMetBytes(
  facts: Pick<MemoryFacts, 'reason' | 'cgroupMemoryPeakBytes' | 'memoryLimitMetBytes'>,
): number | null {
  if (facts.memoryLimitMetBytes !== null) return facts.memoryLimitMetBytes
  const megabytes = /limit of ([\d.]+) MB/.exec(facts.reason ?? '')?.[1]
  if (megabytes === undefined) return null
  const bytes = Number(megabytes) * megabyte
  return (facts.cgroupMemoryPeakBytes ?? Infinity) < nearMemoryLimit * bytes ? null : bytes
}

/** Where a whole GB is at most an eighth more than what is needed. */
const wholeGigabytesFrom = 8 * gigabyte
/** The kernel's own share of a limit (page tables, stacks, the pages of the program) does not shrink with the job. */
const leastMemoryBytes = 16 * megabyte

/** Whole GB of much, whole MB of less. */
export const roundMemory = (bytes: number): number =>
  Math.max(leastMemoryBytes, upTo(bytes, bytes >= wholeGigabytesFrom ? gigabyte : megabyte))

/** At least one step; what arithmetic adds in the last digits is no reason for one more. */
export const upTo = (value: number, step: number): number =>
  Math.max(1, Math.ceil(value / step - 1e-9)) * step
