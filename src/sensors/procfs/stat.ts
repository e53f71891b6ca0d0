import type { Files } from '../../system/system.ts'
import { ByteScan } from '../byte-scan.ts'

/** One line of /proc/PID/stat, as far as it is used. NaN until something was parsed into it. */
export class ProcessStat {
  pid = Number.NaN
  /** Character code of the state's letter, such as 'R' or 'Z'. */
  state = Number.NaN
  parentPid = Number.NaN
  groupId = Number.NaN
  sessionId = Number.NaN
  terminal = Number.NaN
  /** -1 where there is no terminal. */
  foregroundGroup = Number.NaN
  /** The kernel's flags of the task, PF_… in its sources. */
  flags = Number.NaN
  minorFaults = Number.NaN
  childMinorFaults = Number.NaN
  majorFaults = Number.NaN
  childMajorFaults = Number.NaN
  userTicks = Number.NaN
  systemTicks = Number.NaN
  childUserTicks = Number.NaN
  childSystemTicks = Number.NaN
  threads = Number.NaN
  startTicks = Number.NaN
  residentPages = Number.NaN
  /** A bit for each of the signals 1 to 31 that it ignores. */
  ignoredSignals = Number.NaN
  /** Waiting for block I/O. Stays 0 where delay accounting is off; NaN where the line is too short. */
  ioDelayTicks = Number.NaN
}

// A thread name has at most 63 bytes: 15 for a task's own (TASK_COMM_LEN), and the kernel appends
// a work queue's up to its buffer of 64. Names may hold ')', blanks and line ends, the fields after
// may not: so the last ')' is found near the start, without looking at the rest of the line.
const longestName = 63
const openParenthesis = 40
const closeParenthesis = 41
const space = 32
const minus = 45

const scan = new ByteScan()

/** Parses /proc/PID/stat: the hottest parser, once per process per look. */
export function parseStat(bytes: Uint8Array, length: number, into: ProcessStat): boolean {
  scan.begin(bytes, length)
  into.pid = scan.field()
  if (Number.isNaN(into.pid) || !skipName()) return false
  into.state = scan.peek()
  if (into.state <= space) return false
  scan.position += 1
  if (!scan.acceptByte(space)) return false
  into.parentPid = scan.field()
  into.groupId = scan.field()
  into.sessionId = scan.field()
  into.terminal = signedField()
  into.foregroundGroup = signedField()
  into.flags = scan.field()
  into.minorFaults = scan.field()
  into.childMinorFaults = scan.field()
  into.majorFaults = scan.field()
  into.childMajorFaults = scan.field()
  into.userTicks = scan.field()
  into.systemTicks = scan.field()
  into.childUserTicks = scan.field()
  into.childSystemTicks = scan.field()
  scan.skipFields(2) // priority, nice
  into.threads = scan.field()
  scan.skipFields(1) // itrealvalue
  into.startTicks = scan.field()
  scan.skipFields(1) // vsize
  into.residentPages = scan.field()
  scan.skipFields(8) // rsslim to blocked
  into.ignoredSignals = scan.field()
  scan.skipFields(8) // sigcatch to policy
  into.ioDelayTicks = scan.field()
  return isWhole(into)
}

function signedField(): number {
  return scan.acceptByte(minus) ? -scan.field() : scan.field()
}

function skipName(): boolean {
  if (!scan.acceptByte(openParenthesis)) return false
  const { bytes, position: start } = scan
  let position = Math.min(start + longestName, scan.end - 1)
  while (position >= start && bytes[position] !== closeParenthesis) position -= 1
  if (position < start) return false
  scan.position = position + 1
  return scan.acceptByte(space)
}

/** NaN is contagious, so one sum asks all the fields that every kernel has. */
function isWhole(stat: ProcessStat): boolean {
  const identity = stat.parentPid + stat.groupId + stat.sessionId
  const terminal = stat.terminal + stat.foregroundGroup
  const faults =
    stat.flags + stat.minorFaults + stat.childMinorFaults + stat.majorFaults + stat.childMajorFaults
  const ticks = stat.userTicks + stat.systemTicks + stat.childUserTicks + stat.childSystemTicks
  const rest = stat.threads + stat.startTicks + stat.residentPages
  return !Number.isNaN(identity + terminal + faults + ticks + rest)
}

const letterR = 82
const letterZ = 90
const letterX = 88

/**
 * Whether it is dead and only waits for its parent to take note. A main thread that ended before the others looks so too,
 * while they run on.
 */
export const isZombie = ({ state, threads }: ProcessStat): boolean =>
  (state === letterZ || state === letterX) && !(threads > 1)

/** Whether its main thread has a CPU or waits for one. */
export const isRunning = ({ state }: ProcessStat): boolean => state === letterR

/** Of one process, now and then; who looks often keeps the file open and parses into what it has. */
export function readStat(files: Files, pid: number | 'self'): ProcessStat | undefined {
  const text = files.readText(`/proc/${pid}/stat`)
  if (text.kind !== 'ok') return undefined
  const stat = new ProcessStat()
  const bytes = Buffer.from(text.value, 'latin1')
  return parseStat(bytes, bytes.length, stat) ? stat : undefined
}
