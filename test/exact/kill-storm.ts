import { DatabaseSync } from 'node:sqlite'
import type { HistoryRecord, Sandbox } from '../program.ts'
import { workload } from '../program.ts'

/** What came of killing jobmeter many times. An empty list of problems is what everyone hopes for. */
export interface StormReport {
  readonly finished: number
  readonly interrupted: number
  /** Killed before anything was written down: the job had not been started either. */
  readonly unrecorded: number
  /** Killed after the whole record was written, on the way out. */
  readonly completed: number
  readonly problems: readonly string[]
}

/** Starts so many jobs, two at a time, and kills each jobmeter at a random moment of its life. */
export async function killStorm(box: Sandbox, kills: number): Promise<StormReport> {
  const lifeMs = await usualLifeMs(box)
  const killed = new Set<string>()
  const names = Array.from({ length: kills }, (_, index) => `storm-${index}`)
  const queue = [...names]
  const worker = async () => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop())
      if (await startAndKill(box, name, Math.random() * 1.2 * lifeMs)) killed.add(name)
  }
  await Promise.all([worker(), worker()])
  return judge(names, killed, await box.history(), integrity(box.db))
}

const job = (box: Sandbox, name: string): string[] => {
  const command = [workload('burn'), '100', box.path(name)]
  return ['run', '--quiet', '--interval', '0.02', '--name', name, '--', ...command]
}

async function usualLifeMs(box: Sandbox): Promise<number> {
  await box.jobmeter(job(box, 'first'))
  const startedAt = performance.now()
  await box.jobmeter(job(box, 'second'))
  return performance.now() - startedAt
}

async function startAndKill(box: Sandbox, name: string, afterMs: number): Promise<boolean> {
  const running = box.start(job(box, name), { input: '' })
  const timer = setTimeout(() => running.signal('SIGKILL'), afterMs)
  const { signal } = await running.ended
  clearTimeout(timer)
  return signal === 'SIGKILL'
}

function judge(
  names: readonly string[],
  killed: ReadonlySet<string>,
  records: readonly HistoryRecord[],
  integrityAnswer: string,
): StormReport {
  const problems: string[] = integrityAnswer === 'ok' ? [] : [`the database: ${integrityAnswer}`]
  let unrecorded = 0
  for (const name of names) {
    const mine = records.filter((record) => record.name === name)
    const status = mine.map((record) => record.status).join(' and ')
    if (killed.has(name) && mine.length === 0) unrecorded++
    else if (status !== 'success' && !(killed.has(name) && status === 'interrupted'))
      problems.push(
        `${name}, ${killed.has(name) ? 'killed' : 'finished'}: ${status || 'no record'}`,
      )
  }
  const interrupted = records.filter((record) => record.status === 'interrupted').length
  const finished = names.length - killed.size
  const completed = killed.size - interrupted - unrecorded
  return { finished, interrupted, unrecorded, completed, problems }
}

function integrity(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return String(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'])
  } finally {
    database.close()
  }
}
