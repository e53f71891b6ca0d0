import { spawnSync } from 'node:child_process'
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

/** Starts so many jobs, two at a time, and kills each jobmeter, and some that look, at a random moment of their life. */
export async function killStorm(box: Sandbox, kills: number): Promise<StormReport> {
  let lifeMs = await usualLifeMs(box)
  const killed = new Map<string, number>()
  const names = Array.from({ length: kills }, (_, index) => `storm-${index}`)
  const queue = [...names]
  const worker = async () => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const startedAt = performance.now()
      const pid = await startAndKill(box, job(box, name), Math.random() * 1.2 * lifeMs)
      // Others may keep the machine busy only now and then: kills that all come too early would hit nothing.
      lifeMs = pid === undefined ? performance.now() - startedAt : 1.1 * lifeMs
      if (pid !== undefined) killed.set(name, pid)
      // Who looks takes what others have left into the ledger.
      if (queue.length % 4 === 0) await startAndKill(box, ['history'], Math.random() * lifeMs)
    }
  }
  await Promise.all([worker(), worker()])
  // The next job that ends clears away the cgroups of those that could not.
  await box.jobmeter(job(box, 'last'))
  // One whose own job still ran then, on a busy machine, is left to the next.
  const pids = [...killed.values()]
  for (let tries = 0; tries < 20 && leftCgroups(pids).length > 0; tries += 1)
    await box.jobmeter(['run', '--quiet', '--db', box.path('after.db'), '--', 'sleep', '0.2'])
  const records = await box.history()
  const problems = [...databaseProblems(box.db), ...leftCgroups(pids)]
  return judge(names, new Set(killed.keys()), records, problems)
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

/** The pid of the one that was killed; undefined if it was quicker. */
async function startAndKill(
  box: Sandbox,
  argv: readonly string[],
  afterMs: number,
): Promise<number | undefined> {
  const running = box.start(argv, { input: '' })
  const timer = setTimeout(() => running.signal('SIGKILL'), afterMs)
  const { signal } = await running.ended
  clearTimeout(timer)
  return signal === 'SIGKILL' ? running.pid : undefined
}

function judge(
  names: readonly string[],
  killed: ReadonlySet<string>,
  records: readonly HistoryRecord[],
  otherProblems: readonly string[],
): StormReport {
  const problems = [...otherProblems]
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

function databaseProblems(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const answer = String(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'])
    return answer === 'ok' ? [] : [`the database: ${answer}`]
  } finally {
    database.close()
  }
}

function leftCgroups(pids: readonly number[]): string[] {
  const found = spawnSync('find', ['/sys/fs/cgroup', '-type', 'd', '-name', 'jobmeter-*'])
  const directories = String(found.stdout).split('\n')
  const left = directories.filter((path) => pids.includes(Number(/jobmeter-(\d+)/.exec(path)?.[1])))
  return left.map((path) => `a cgroup was left: ${path}`)
}
