import { formatBytes } from '../../model/bytes.ts'
import { formatCount } from '../../model/count.ts'
import type { JudgedUse } from '../../model/past-round.ts'
import type { SpareRoom } from '../../model/policy.ts'
import type { RoundSum } from './round-sum.ts'

/** What a node has of something, and how much of it is neither used nor reserved. */
export interface Room {
  readonly total: number
  readonly free: number
}

export interface NodeRoom {
  /** Null where nobody knows how many there are. */
  readonly cores: Room | null
  readonly memory: Room | null
  readonly gpus: Room | null
}

/** `all` is the sum over all jobs: the order of jobs cannot matter. */
export function roomOf(node: JudgedUse, all: RoundSum, seconds: number): NodeRoom {
  // Time that belongs to no job is not free either.
  const busy = seconds > 0 ? node.cpuSeconds / seconds : 0
  const room = (total: number, taken: number): Room => ({
    total,
    free: Math.max(0, total - taken),
  })
  const { cores, memoryTotalBytes, gpus } = node
  return {
    cores: cores === null ? null : room(cores, Math.max(busy, all.coresClaimed)),
    memory:
      memoryTotalBytes === null
        ? null
        : room(memoryTotalBytes, Math.max(node.memoryBytes ?? 0, all.memoryClaimed)),
    gpus: gpus ? room(gpus, all.gpusHeld ?? 0) : null,
  }
}

/** Of what the subject leaves at least so much is free, and so much of the node: nobody else has to go without. */
const isSpare = ({ total, free }: Room, taken: number, { ofRest, ofNode }: SpareRoom): boolean =>
  free >= ofRest * Math.max(0, total - taken) && free >= ofNode * total

type Words = (free: number, total: number) => string
const words: Readonly<Record<keyof NodeRoom, Words>> = {
  cores: (free, total) => `${oneDigit(free)} of ${formatCount(total)} cores were free`,
  memory: (free, total) => `${formatBytes(free)} of ${formatBytes(total)} of memory were free`,
  gpus: (free, total) => `${oneDigit(free)} of ${formatCount(total)} GPUs were free`,
}
const oneDigit = (value: number): string => value.toFixed(1).replace(/\.0$/, '')

/**
 * Why nobody is harmed, in words; null if somebody may be. What a node does not have cannot run short; cores it has, and
 * where nobody knows how many, nobody knows how many are free.
 */
export function whySuppressed(
  spare: SpareRoom | null,
  room: NodeRoom,
  subject: Pick<RoundSum, 'coresClaimed' | 'memoryClaimed' | 'gpusHeld'>,
): string | null {
  if (spare === null) return null
  const taken = {
    cores: subject.coresClaimed,
    memory: subject.memoryClaimed,
    gpus: subject.gpusHeld ?? 0,
  }
  const names = spare.resource === 'all' ? (['cores', 'memory', 'gpus'] as const) : [spare.resource]
  const said: string[] = []
  for (const name of names) {
    const one = room[name]
    if (one === null && name === 'cores') return null
    if (one === null) continue
    if (!isSpare(one, taken[name], spare)) return null
    said.push(words[name](one.free, one.total))
  }
  return said.length === 0 ? null : said.join(', ')
}
