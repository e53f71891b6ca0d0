import { readFileSync, writeFileSync } from 'node:fs'
import { sandbox, type Sandbox } from '../program.ts'
import { results, type ListedResult } from '../workflow/flow.ts'
import type { Elsewhere } from '../workflow/namespaces.ts'

/** What came of killing the runner of a workflow again and again. No problems is what everyone hopes for. */
export interface WorkflowStorm {
  readonly diamonds: number
  readonly kills: number
  readonly runs: number
  readonly successes: number
  readonly interrupted: number
  readonly problems: readonly string[]
}

const middle = 198
/** One job, then 198 side by side, then one that waits for all of them. */
const diamond = `name: diamond
jobs:
  - { name: top, command: "sleep 0.01; echo top >> done" }
  - { name: "m{i}", command: "sleep 0.01; echo m{i} >> done", parameters: { i: "1:${middle}" }, depends_on: [top] }
  - { name: bottom, command: "sleep 0.01; echo bottom >> done", depends_on_regexes: ["^m"] }
`

/**
 * Runs diamonds and kills their runner at random moments, so many times in all; each is resumed until it is done. Others
 * may look all the while, who do not see the runner's process.
 */
export async function workflowStorm(kills: number, looker?: Elsewhere): Promise<WorkflowStorm> {
  const sum = { kills: 0, runs: 0, successes: 0, interrupted: 0, problems: [] as string[] }
  let diamonds = 0
  for (; sum.kills < kills && sum.problems.length === 0; diamonds++) {
    using box = sandbox()
    writeFileSync(box.path('diamond.yaml'), diamond)
    await box.jobmeter(['workflows', 'create-from-spec', 'diamond.yaml'])
    const looking = looker === undefined ? undefined : lookOn(box, looker)
    const one = await killUntilDone(box, kills - sum.kills)
    await looking?.stop()
    const all = await results(box, '--all-runs')
    sum.kills += one.kills
    sum.runs += one.runs
    sum.successes += all.filter(({ status }) => status === 'success').length
    sum.interrupted += all.filter(({ status }) => status === 'interrupted').length
    sum.problems.push(...one.problems, ...judge(all), ...unwritten(box.path('done')))
  }
  return { ...sum, diamonds }
}

/** Looks again and again, each look a process of its own, until it is told to stop. */
function lookOn(box: Sandbox, looker: Elsewhere) {
  const over = new AbortController()
  const looks = (async () => {
    while (!over.signal.aborted) await box.jobmeter(['jobs', 'list', '1'], looker)
  })()
  return {
    async stop() {
      over.abort()
      await looks
    },
  }
}

async function killUntilDone(box: Sandbox, mostKills: number) {
  let startMs = await startedMs(() => box.jobmeter(['jobs', 'list', '1']))
  const finished = new Map<string, number>()
  const problems: string[] = []
  let kills = 0
  let runs = 0
  for (let code: number | null = null; code !== 0 && problems.length === 0; runs++) {
    const run = box.start(resume, { input: '' })
    const afterMs = 0.5 * startMs + Math.random() * (startMs + longestMs)
    const timer = kills < mostKills ? setTimeout(() => run.signal('SIGKILL'), afterMs) : undefined
    const ended = await run.ended
    clearTimeout(timer)
    code = ended.code
    if (ended.signal === 'SIGKILL') kills++
    else if (code !== 0) problems.push(`a run ended with ${code}: ${ended.stderr}`)
    startMs = await startedMs(async () => {
      problems.push(...lost(finished, await results(box, '--all-runs')))
    })
  }
  return { kills, runs, problems }
}

/** How long the program takes just now to get going: on a busy machine all kills would come before that. */
async function startedMs(program: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await program()
  return performance.now() - startedAt
}

const resume = ['run', '--resume', '1', '-q', '--max-parallel-jobs', '4', '--cpus', '4']
/** Short enough that much is left to be killed the next time. */
const longestMs = 220

/** Notes what has succeeded; says what had and has no more. */
function lost(finished: Map<string, number>, now: readonly ListedResult[]): string[] {
  const succeeded = new Map(
    now.flatMap(({ job_name, attempt, status }) =>
      status === 'success' ? [[job_name, attempt] as const] : [],
    ),
  )
  const problems = [...finished].flatMap(([name, attempt]) =>
    succeeded.get(name) === attempt ? [] : [`the success of ${name} was lost or doubled`],
  )
  for (const [name, attempt] of succeeded) finished.set(name, attempt)
  return problems
}

function judge(all: readonly ListedResult[]): string[] {
  const byJob = Map.groupBy(all, ({ job_name }) => job_name)
  const problems = byJob.size === middle + 2 ? [] : [`${byJob.size} jobs have results`]
  for (const [name, attempts] of byJob) {
    const told = attempts.map(({ status }) => status).join(', ')
    const last = attempts.at(-1)?.status === 'success'
    if (!last || attempts.slice(0, -1).some(({ status }) => status !== 'interrupted'))
      problems.push(`${name}: ${told}`)
    if (attempts.some(({ attempt }, index) => attempt !== index + 1))
      problems.push(`${name}: attempts ${attempts.map(({ attempt }) => attempt).join(', ')}`)
  }
  return problems
}

function unwritten(path: string): string[] {
  const written = new Set(readFileSync(path, 'utf8').trimEnd().split('\n'))
  return written.size === middle + 2 ? [] : [`${written.size} jobs did their work`]
}
