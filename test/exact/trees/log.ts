import { readFileSync } from 'node:fs'

/** What the processes of one family wrote of their own lives (test/workloads/tree.c). */
export interface FamilyLog {
  readonly events: readonly FamilyEvent[]
  readonly ignoresChildren: boolean
  /** How long the longest-lived of those lived that ignored SIGCHLD. */
  readonly ignorerSeconds: number
  readonly makesDaemons: boolean
  readonly clearsEnvironment: boolean
}

export interface FamilyEvent {
  readonly atSeconds: number
  readonly kind: EventKind
  readonly pid: number
  readonly block: number
  readonly value: number
}

/** In the order of the C program's `enum kind`, which begins with 1. */
const kinds = [
  'started',
  'ended',
  'forking',
  'holding',
  'held',
  'shared',
  'dropped',
  'left',
  'feature',
] as const
type EventKind = (typeof kinds)[number]

const headerBytes = 32
const eventBytes = 32

export function readFamilyLog(path: string): FamilyLog {
  const bytes = readFileSync(path)
  const events = Array.from({ length: bytes.readInt32LE(0) }, (_, index): FamilyEvent => {
    const at = headerBytes + index * eventBytes
    const kind = kinds[bytes.readInt32LE(at + 16) - 1]
    if (kind === undefined) throw new Error(`${path}: event ${index} was not written whole`)
    return {
      atSeconds: bytes.readDoubleLE(at),
      value: Number(bytes.readBigInt64LE(at + 8)),
      kind,
      pid: bytes.readInt32LE(at + 20),
      block: bytes.readInt32LE(at + 24),
    }
  }).toSorted((a, b) => a.atSeconds - b.atSeconds)
  const features = events.filter(({ kind }) => kind === 'feature').map(({ value }) => value)
  return {
    events,
    ignoresChildren: features.includes(1),
    ignorerSeconds: Math.max(
      0,
      ...events
        .filter(({ kind, value }) => kind === 'feature' && value === 1)
        .map((ignored) => endOf(events, ignored.pid) - ignored.atSeconds),
    ),
    makesDaemons: features.includes(2),
    clearsEnvironment: features.includes(4),
  }
}

/** Of a process that was left behind, the end of the log. */
const endOf = (events: readonly FamilyEvent[], pid: number): number =>
  (events.find((event) => event.kind === 'ended' && event.pid === pid) ?? events.at(-1))
    ?.atSeconds ?? 0
