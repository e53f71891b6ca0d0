import fc from 'fast-check'
import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readLedger } from '../../src/record/read-ledger.ts'
import { LiveFeed } from '../../src/service/live/live-feed.ts'
import { samplesOf } from '../../src/service/job-samples.ts'
import { realSystem } from '../../src/system/real.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, until } from '../workflow/flow.ts'
import { columnOf, expectTold, Told } from './told.ts'

const system = realSystem({ ownsProcess: false })

function listening(box: Sandbox) {
  const problems: string[] = []
  const feed = new LiveFeed(system, box.db, { onProblem: (problem) => problems.push(problem) })
  const told = new Told()
  feed.listen(told.hear)
  return { feed, told, problems, [Symbol.dispose]: () => feed.stop() }
}

/** Compares all that was told with the ledger, after a command has taken in what waits. */
async function expectAllTold(box: Sandbox, told: Told, count: number): Promise<void> {
  const ledger = readLedger(box.db)
  const records = await ledger.jobs.find({})
  expect(records).toHaveLength(count)
  await until(() => told.ended === count && [...told.attempts.values()].every(isNumbered))
  expect(told.attempts.size).toBe(count)
  for (const record of records)
    expectTold(told, record, (await samplesOf(ledger, record, undefined)).series.rows)
  await ledger.close()
}

const isNumbered = ({ facts }: { facts: { jobId: number | null } }): boolean => facts.jobId !== null

describe('a stream of live events', () => {
  it(
    'tells of every job and sample what the ledger has in the end, though some are killed',
    {
      timeout: 180_000,
    },
    async () => {
      using box = sandbox()
      using stream = listening(box)
      const { told } = stream
      const kinds = fc.constantFrom('short', 'busy', 'failing', 'killed', 'kept')
      const [jobs = []] = fc.sample(fc.array(kinds, { minLength: 14, maxLength: 14 }), {
        numRuns: 1,
        seed: 7,
      })
      const busy = 'i=0; while [ $i -lt 90000 ]; do i=$((i+1)); done; sleep 0.4'
      const commands: Record<string, string> = {
        short: 'true',
        busy,
        failing: 'sleep 0.6; exit 3',
        // For as long as its folder is there: how soon it is told about depends on who else uses the machine.
        killed: `while [ -e ${box.directory} ]; do sleep 0.2; done`,
        kept: busy,
      }
      const running = jobs.map(async (kind, index) => {
        const options = kind === 'kept' ? ['--output-dir', box.path(`out${index}`)] : []
        const job = ['--name', `${kind}${index}`, '--interval', '0.1', ...options]
        const run = box.start(['run', '--quiet', ...job, '--', 'sh', '-c', commands[kind] ?? ''], {
          input: '',
        })
        if (kind === 'killed') {
          const rowsOf = () =>
            [...told.attempts.values()].find(({ facts }) => facts.name === `${kind}${index}`)
          await until(() => (told.rows.get(rowsOf()?.facts.taskId ?? '')?.length ?? 0) > index)
          run.signal('SIGKILL')
        }
        return run.ended
      })
      // Whoever reads in between takes in what waits.
      const reads = [1, 2, 3].map(() => box.history())
      await Promise.all([...running, ...reads])
      await until(() => told.ended === jobs.length)
      await box.history()
      await expectAllTold(box, told, jobs.length)
      expect(told.resets).toBe(0)
      expect(stream.problems).toEqual([])
      const statuses = [...told.attempts.values()].map(({ facts }) => facts.status)
      expect(statuses).toContain('interrupted')
      expect(statuses).toContain('failed')
      // Every row was compared above; how busy a job can be depends on who else uses the machine.
      const cpu = [...told.rows.values()].flatMap((rows) => columnOf(rows ?? [], 'cpu_percent'))
      expect(Math.max(...cpu.map((percent) => percent ?? 0))).toBeGreaterThan(0)
    },
  )

  it('tells of a workflow, its jobs and their samples, with an estimate of its end', async () => {
    using box = sandbox()
    using stream = listening(box)
    const { told } = stream
    const spec = `resource_monitor: { granularity: time_series, sample_interval_seconds: 0.05 }
jobs:
  - { name: 'part_{i}', command: 'sleep 0.5', parameters: { i: '1:7' } }
  - { name: part_8, command: 'until [ -e estimated ]; do sleep 0.05; done' }
  - { name: last, command: 'exit 4', depends_on: [part_1] }
`
    const estimates: number[] = []
    const hear = stream.feed.listen((events) => {
      for (const { event } of events)
        if (event.kind === 'workflow' && event.workflow.estimate !== null)
          estimates.push(event.workflow.estimate.endsAt)
    })
    const running = box.jobmeter(['run', flow(box, spec), '--quiet', '--max-parallel-jobs', '2'])
    await until(() => estimates.length > 0)
    writeFileSync(box.path('estimated'), '')
    await running
    await until(() => told.workflows.get(1)?.isBeingRun === false)
    hear()
    await expectAllTold(box, told, 9)
    const rows = [...told.rows.values()].reduce((sum, some) => sum + (some?.length ?? 0), 0)
    expect(rows).toBeGreaterThan(9)
    expect(told.workflows.get(1)).toMatchObject({
      name: 'flow',
      total: 9,
      done: 9,
      running: 0,
      failed: 1,
      runId: 1,
      estimate: null,
    })
    expect(told.workflows.get(1)?.runEndedAt).not.toBeNull()
    expect(stream.problems).toEqual([])
  })

  it('calls the jobs of a killed runner interrupted, before anybody has marked them so', async () => {
    using box = sandbox()
    using stream = listening(box)
    const { told } = stream
    const spec = `resource_monitor: { granularity: time_series, sample_interval_seconds: 0.05 }
jobs:
  - { name: 'part_{i}', command: 'sleep 30', parameters: { i: '1:2' } }
`
    const run = box.start(['run', flow(box, spec), '--quiet'], { input: '' })
    await until(() => told.workflows.get(1)?.running === 2)
    await until(() => [...told.rows.values()].every((rows) => (rows?.length ?? 0) > 5))
    run.signal('SIGKILL')
    await until(() => told.ended === 2 && told.workflows.get(1)?.isBeingRun === false)
    await box.jobmeter(['results', 'list', '1'])
    await expectAllTold(box, told, 2)
    expect(told.resets).toBe(0)
  })

  it('tells who comes later of what runs, and who comes back of what was missed', async () => {
    using box = sandbox()
    const command = ['sh', '-c', 'until [ -e left ]; do sleep 0.05; done']
    const run = box.start(['run', '--quiet', '--interval', '0.1', '--', ...command], { input: '' })
    const first = new Told()
    using stream = listening(box)
    await until(() => stream.told.attempts.size === 1)
    const [taskId = ''] = stream.told.attempts.keys()
    const stop = stream.feed.listen(first.hear, stream.feed.newestId)
    await until(() => first.newestId !== '')
    stop()
    const left = first.newestId
    writeFileSync(box.path('left'), '')
    await run.ended
    await until(() => stream.told.ended === 1)
    const later: string[] = []
    stream.feed.listen((events) => later.push(...events.map(({ id }) => id)), left)()
    expect(later.length).toBeGreaterThan(1)
    expect(later.at(-1)).toBe(stream.feed.newestId)
    expect(Number(later[0]?.split('.')[1])).toBe(Number(left.split('.')[1]) + 1)
    const kinds: string[] = []
    stream.feed.listen((events) => kinds.push(...events.map(({ event }) => event.kind)), 'x.1')()
    expect(kinds).toEqual(['reset'])
    expect(stream.told.attempts.get(taskId)?.facts.status).toBe('success')
  })

  it('begins anew when the ledger is deleted, and goes on with what is written then', async () => {
    using box = sandbox()
    using stream = listening(box)
    const { told } = stream
    await box.run(['--', 'true'])
    // From then on it has the ledger open.
    await until(() => told.ended === 1 && [...told.attempts.values()].every(isNumbered))
    for (const end of ['', '-wal', '-shm']) rmSync(`${box.db}${end}`, { force: true })
    await until(() => told.resets === 1)
    await box.run(['--name', 'after', '--', 'true'])
    await until(() => told.ended === 1)
    expect([...told.attempts.values()].map(({ facts }) => facts.name)).toEqual(['after'])
    expect(told.resets).toBe(1)
  })
})
