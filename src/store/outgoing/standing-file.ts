import { constants, promises } from 'node:fs'
import { join } from 'node:path'
import type { RemoteStanding } from '../../model/remote-state.ts'

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants
const name = 'standing.json'
const unfinished = 'standing.unfinished'

/** Says for other programs how it goes. The folder is private to whoever sends. */
export async function writeStanding(folder: string, standing: RemoteStanding): Promise<void> {
  const path = join(folder, unfinished)
  const handle = await promises.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    await handle.writeFile(JSON.stringify(standing))
  } finally {
    await handle.close()
  }
  await promises.rename(path, join(folder, name))
}

/** What was said last; undefined where nobody has sent from here yet. */
export async function readStanding(folder: string): Promise<RemoteStanding | undefined> {
  const text = await promises.readFile(join(folder, name), 'utf8').catch(ifMissing)
  if (text === undefined) return undefined
  try {
    const { lastSentAt, problem, samplesDropped, startedAt } = JSON.parse(text) as Record<
      string,
      unknown
    >
    return {
      lastSentAt: typeof lastSentAt === 'number' ? lastSentAt : null,
      problem: typeof problem === 'string' ? problem : null,
      samplesDropped: Number(samplesDropped),
      startedAt: Number(startedAt),
    }
  } catch {
    return undefined
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
