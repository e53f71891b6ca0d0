import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { workload, type HistoryRecord, type Sandbox, type User } from '../../program.ts'
import { until } from '../../workflow/flow.ts'
import { runs } from '../tolerance.ts'
import { judge, mayMissDaemons, type Sight } from './judge.ts'
import { readFamilyLog } from './log.ts'
import { truthOf } from './truth.ts'

/** Grows families under jobmeter in one way or another, and says of each seed what was told wrong. */
type Problems = readonly string[]

const logOf = (box: Sandbox, seed: number): string => box.path(`${seed}.log`)

const find = (records: readonly HistoryRecord[], seed: number): HistoryRecord | undefined =>
  records.find(({ name }) => name === `tree-${seed}`)

/** By `run`, so many at once, each under a jobmeter of its own. */
export async function growByRun(
  box: Sandbox,
  seeds: readonly number[],
  atOnce: number,
  sight: Sight,
  env: Readonly<Record<string, string>> = {},
): Promise<Problems> {
  await inParallel(seeds, atOnce, async (seed) => {
    const tree = [workload('tree'), String(seed), logOf(box, seed)]
    const ended = await box.jobmeter(['run', '--quiet', '--name', `tree-${seed}`, '--', ...tree], {
      env,
    })
    if (ended.code !== 0) throw new Error(`tree ${seed}: ${JSON.stringify(ended)}`)
  })
  const records = await box.history()
  const problems = await judgeSeeds(box, records, seeds, sight)
  const stragglers = seeds.flatMap((seed) => judgeStragglers(box, find(records, seed), seed, sight))
  return [...problems, ...stragglers]
}

/** By `watch`, from before anything happens until all is over. */
export async function growByWatch(
  box: Sandbox,
  user: User,
  seeds: readonly number[],
  atOnce: number,
  sight: Sight,
): Promise<Problems> {
  await inParallel(seeds, atOnce, async (seed) => {
    const tree = spawn(workload('tree'), [String(seed), logOf(box, seed), 'wait'], {
      stdio: 'ignore',
      cwd: box.directory,
      ...(user.uid === undefined ? {} : { uid: user.uid, gid: user.gid ?? user.uid }),
    })
    const name = `tree-${seed}`
    const watch = box.start(['watch', '--quiet', '--name', name, '--pid', String(tree.pid)])
    await until(() => keepsOpen(watch.pid, `/proc/${tree.pid}/stat`))
    tree.kill('SIGUSR1')
    await watch.ended
  })
  const records = await box.history()
  const problems = await judgeSeeds(box, records, seeds, sight)
  for (const seed of seeds) endStragglers(box, seed)
  return problems
}

/**
 * As jobs of one workflow, so many at once. Who asks for a minute has a cgroup where it can; where nobody does, jobs that follow
 * several short ones are started by another thread.
 */
export async function growByWorkflow(
  box: Sandbox,
  seeds: readonly number[],
  atOnce: number,
  asking: 'every other one' | 'nobody',
  sightOf: (asksForAMinute: boolean) => Sight,
): Promise<Problems> {
  const asksForAMinute = (seed: number): boolean => asking !== 'nobody' && seed % 2 === 0
  const jobs = seeds.map((seed) => {
    const request = asksForAMinute(seed) ? ', resource_requirements: { runtime: PT1M }' : ''
    return `  - { name: "tree-${seed}", command: "${workload('tree')} ${seed} ${logOf(box, seed)}"${request} }\n`
  })
  writeFileSync(box.path('trees.yaml'), `name: trees\njobs:\n${jobs.join('')}`)
  const at = String(atOnce)
  const ended = await box.jobmeter(
    ['run', 'trees.yaml', '-q', '--max-parallel-jobs', at, '--cpus', at],
    { timeoutMs: 600_000 },
  )
  const records = await box.history()
  return [
    ...(ended.code === 0 ? [] : [`the workflow ended with ${ended.code}: ${ended.stderr}`]),
    ...seeds.flatMap((seed) => [
      ...judgeSeed(box, records, seed, sightOf(asksForAMinute(seed))),
      // What a workflow's job leaves behind is ended with it.
      ...stragglersOf(box, seed).flatMap((pid) =>
        runs(pid) ? [`tree ${seed}: process ${pid} was left running`] : [],
      ),
    ]),
  ]
}

/**
 * On a machine that others keep busy looks may come late, and what stood between two of them went by unseen: who seems to be
 * told wrong is judged again by when the looks really were.
 */
async function judgeSeeds(
  box: Sandbox,
  records: readonly HistoryRecord[],
  seeds: readonly number[],
  sight: Sight,
): Promise<Problems> {
  const judged = seeds.map(async (seed) => {
    const problems = judgeSeed(box, records, seed, sight)
    const record = find(records, seed)
    if (problems.length === 0 || record === undefined) return problems
    const lookedWithinSeconds = longestGap(await box.sampleTimes(record.task_id), record)
    return judgeSeed(box, records, seed, { ...sight, lookedWithinSeconds })
  })
  return (await Promise.all(judged)).flat()
}

/** Who is looked at more seldom than this is not looked after, however busy the machine is. */
const neglectSeconds = 3

/** With what a look itself may take. */
function longestGap(times: readonly number[], { duration_seconds: end }: HistoryRecord): number {
  const moments = [0, ...times, end ?? 0]
  const gaps = moments.map((at, index) => at - (moments[index - 1] ?? at))
  return Math.min(neglectSeconds, Math.max(...gaps) + 0.05)
}

function judgeSeed(
  box: Sandbox,
  records: readonly HistoryRecord[],
  seed: number,
  sight: Sight,
): Problems {
  const record = find(records, seed)
  if (record === undefined) return [`tree ${seed}: there is no record`]
  if (record.status !== 'success' && !sight.follows)
    return [`tree ${seed}: ${record.status}, ${record.error}`]
  const log = readFamilyLog(logOf(box, seed))
  return judge(record, log, sight).map((problem) => `tree ${seed}: ${problem}`)
}

function judgeStragglers(
  box: Sandbox,
  record: HistoryRecord | undefined,
  seed: number,
  sight: Sight,
): Problems {
  const left = stragglersOf(box, seed)
  const told = record?.stragglers.map(({ pid }) => pid) ?? []
  const mayMiss = mayMissDaemons(readFamilyLog(logOf(box, seed)), sight)
  const missed = left.filter((pid) => !mayMiss && !told.includes(pid) && runs(pid))
  const invented = told.filter((pid) => !left.includes(pid))
  endStragglers(box, seed)
  return [
    ...missed.map((pid) => `tree ${seed}: process ${pid} was left behind, and not told`),
    ...invented.map((pid) => `tree ${seed}: process ${pid} was told as left behind, and is not`),
  ]
}

const stragglersOf = (box: Sandbox, seed: number): readonly number[] =>
  existsSync(logOf(box, seed)) ? truthOf(readFamilyLog(logOf(box, seed))).stragglers : []

function endStragglers(box: Sandbox, seed: number): void {
  for (const pid of stragglersOf(box, seed)) if (runs(pid)) process.kill(pid, 'SIGKILL')
}

function keepsOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((name) => linkOf(`${folder}/${name}`) === path)
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
