import { join } from 'node:path'
import { formatBytes } from '../../model/bytes.ts'
import { count } from '../../model/count.ts'
import type { Rung } from '../../model/doctor.ts'
import { formatSeconds } from '../../render/units/figures.ts'
import type { RemoteTarget } from '../../model/remote-target.ts'
import { waitingIn } from '../../store/outgoing/batch-folder.ts'
import { outgoingDirectory } from '../../store/outgoing/outgoing-path.ts'
import { readStanding } from '../../store/outgoing/standing-file.ts'
import type { Clock } from '../../system/system.ts'

/** How the sending of metrics goes, by what whoever sends them left beside what waits. */
export function remoteRungs(
  program: 'agent' | 'serve',
  database: string,
  targets: readonly RemoteTarget[],
  clock: Clock,
): Promise<Rung[]> {
  const now = clock.wallSeconds()
  const folderOf = ({ name }: RemoteTarget) => join(outgoingDirectory(database), name)
  return Promise.all(targets.map((target) => rungOf(program, folderOf(target), target, now)))
}

async function rungOf(
  program: 'agent' | 'serve',
  folder: string,
  target: RemoteTarget,
  now: number,
): Promise<Rung> {
  const name = `${program}: metrics for ${target.name}`
  const start = `start jobmeter ${program}`
  try {
    const standing = await readStanding(folder)
    if (standing === undefined)
      return { name, state: 'partly', finding: 'nothing has been sent yet', remedy: start }
    const { lastSentAt, problem, samplesDropped } = standing
    const waits = await waitingWords(folder, now)
    const lost = samplesDropped > 0 ? `; ${count(samplesDropped, 'sample')} dropped` : ''
    const ago = lastSentAt === null ? undefined : Math.max(0, now - lastSentAt)
    const sent = ago === undefined ? 'never sent' : `last sent ${formatSeconds(ago)} ago`
    const finding = `${sent}; ${waits}${lost}`
    if (problem !== null)
      return { name, state: 'no', finding: `${problem}; ${finding}`, remedy: remedyFor(target) }
    const isLate = ago === undefined || ago > 3 * target.intervalSeconds + target.timeoutSeconds
    return isLate
      ? { name, state: 'partly', finding, remedy: start }
      : { name, state: 'yes', finding, remedy: null }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    const finding = `${folder} cannot be read (${code})`
    return { name, state: 'partly', finding, remedy: `ask as whoever runs jobmeter ${program}` }
  }
}

async function waitingWords(folder: string, now: number): Promise<string> {
  const waiting = await waitingIn(folder)
  const [oldest] = waiting
  if (oldest === undefined) return 'nothing waits'
  const bytes = waiting.reduce((sum, batch) => sum + batch.bytes, 0)
  const lag = Math.max(0, now - oldest.atMilliseconds / 1000)
  return `${count(waiting.length, 'batch', 'batches')} (${formatBytes(bytes)}) waiting, the oldest for ${formatSeconds(lag)}`
}

const remedyFor = ({ name }: RemoteTarget): string =>
  `see whether the server of ${name} runs, and whether its url, token and protocol are right`
