import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type HistoryRecord, type Sandbox } from '../program.ts'
import { flow, lines, results as resultsHere, until, type ListedResult } from './flow.ts'
import { cannotGoElsewhere, elsewhere, type Elsewhere } from './namespaces.ts'

const here: Elsewhere = { name: 'here', within: [] }
const both = elsewhere.flatMap((there) => [
  { owner: there, looker: here },
  { owner: here, looker: there },
])
const why = cannotGoElsewhere()

/** Waits for the file `go`; each job writes its name when it is done. */
const gated = `jobs:
  - { name: first, command: echo first >> order }
  - { name: second, command: 'touch started; while [ ! -e go ]; do sleep 0.02; done; echo second >> order', depends_on: [first] }
  - { name: third, command: echo third >> order, depends_on: [second] }
`

async function look<T>(box: Sandbox, looker: Elsewhere, args: readonly string[]): Promise<T> {
  const { stdout, stderr } = await box.jobmeter([...args, '--format', 'json'], looker)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as T
}

async function states(box: Sandbox, looker: Elsewhere): Promise<readonly string[]> {
  const args = ['jobs', 'list', '1']
  const { jobs } = await look<{ jobs: { state: string }[] }>(box, looker, args)
  return jobs.map(({ state }) => state)
}

describe.skipIf(why !== undefined)(
  `an owner who cannot be seen (${why ?? 'all can be made'})`,
  () => {
    it.each(both)(
      '$owner.name keeps its workflow from one $looker.name',
      async ({ owner, looker }) => {
        using box = sandbox()
        const run = box.start(['run', flow(box, gated)], { input: '', ...owner })
        await until(() => existsSync(box.path('started')))
        expect(await states(box, looker)).toEqual(['success', 'running', 'waiting'])
        const second = await box.jobmeter(['run', '--resume', '1'], looker)
        expect(second.stderr).toContain('workflow 1 is being run by process')
        expect(second.code).toBe(1)
        writeFileSync(box.path('go'), '')
        expect((await run.ended).code).toBe(0)
        expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
        const { results } = await look<{ results: ListedResult[] }>(box, looker, [
          'results',
          'list',
          '1',
          '--all-runs',
        ])
        expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
      },
    )

    it.each(both)('$owner.name keeps its record, seen $looker.name', async ({ owner, looker }) => {
      using box = sandbox()
      const command = 'touch started; while [ ! -e go ]; do sleep 0.02; done'
      const run = box.start(['run', '--', 'sh', '-c', command], { input: '', ...owner })
      await until(() => existsSync(box.path('started')))
      const history = () => look<HistoryRecord[]>(box, looker, ['job-history'])
      expect((await history()).map(({ status }) => status)).toEqual(['running'])
      writeFileSync(box.path('go'), '')
      expect((await run.ended).code).toBe(0)
      expect((await history()).map(({ status }) => status)).toEqual(['success'])
    })
  },
)

const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])

/** Makes all signs of life look so old. */
function silence(box: Sandbox, seconds: number): void {
  const at = Date.now() / 1000 - seconds
  for (const name of readdirSync(`${box.db}.spool`)) utimesSync(`${box.db}.spool/${name}`, at, at)
}

/** Each attempt of `second` waits for a file of its own. */
const gatedByAttempt = gated.replace(
  'touch started; while [ ! -e go ]',
  'touch started$JOBMETER_ATTEMPT; while [ ! -e go$JOBMETER_ATTEMPT ]',
)
const [otherPids = here] = elsewhere

describe.skipIf(why !== undefined)('an owner who has died where nobody saw it', () => {
  it('is replaced once it has been silent for half a minute', async () => {
    using box = sandbox()
    const run = box.start(['run', flow(box, gated)], { input: '', ...otherPids })
    await until(() => existsSync(box.path('started')))
    run.signal('SIGKILL')
    await run.ended
    const early = await box.jobmeter(['run', '--resume', '1'])
    expect(early.stderr).toMatch(/workflow 1 (is being|may still be) run by process/)
    silence(box, 31)
    expect(await states(box, here)).toEqual(['success', 'interrupted', 'waiting'])
    writeFileSync(box.path('go'), '')
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(0)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
  })
})

describe.skipIf(why !== undefined)(
  'an owner who was stopped so long that another took over',
  () => {
    it('keeps what it finished, and starts nothing more', async () => {
      using box = sandbox()
      // Without FFI there is no lock, so silence alone tells.
      const stopped = { env: { JOBMETER_NO_FFI: '1' }, input: '', ...otherPids }
      const old = box.start(['run', flow(box, gatedByAttempt)], stopped)
      await until(() => existsSync(box.path('started1')))
      const pid = childOf(old.pid)
      process.kill(pid, 'SIGSTOP')
      writeFileSync(box.path('go1'), '')
      await until(() => lines(box.path('order')).length === 2)
      silence(box, 301)
      writeFileSync(box.path('go2'), '')
      const ended = await box.jobmeter(['run', '--resume', '1'])
      expect(ended.code, ended.stderr).toBe(0)
      process.kill(pid, 'SIGCONT')
      const revived = await old.ended
      expect(revived.stderr).toContain('another runner has taken over workflow 1')
      expect(revived.code).toBe(1)
      // Nobody knew that the first one had ended, so `second` ran again; what comes after it did not.
      expect(lines(box.path('order'))).toEqual(['first', 'second', 'second', 'third'])
      expect(await resultsHere(box, '--all-runs')).toMatchObject([
        { job_name: 'first', status: 'success' },
        { job_name: 'second', attempt: 1, status: 'success' },
        { job_name: 'second', attempt: 2, status: 'success' },
        { job_name: 'third', attempt: 1, status: 'success' },
      ])
      expect(await states(box, here)).toEqual(['success', 'success', 'success'])
    })

    it('says so with --quiet, also where it was then stopped by a signal', async () => {
      using box = sandbox()
      const stopped = { env: { JOBMETER_NO_FFI: '1' }, input: '', ...otherPids }
      const old = box.start(['run', flow(box, gatedByAttempt), '--quiet'], stopped)
      await until(() => existsSync(box.path('started1')))
      const pid = childOf(old.pid)
      process.kill(pid, 'SIGSTOP')
      silence(box, 301)
      writeFileSync(box.path('go2'), '')
      const ended = await box.jobmeter(['run', '--resume', '1'])
      expect(ended.code, ended.stderr).toBe(0)
      process.kill(pid, 'SIGTERM')
      process.kill(pid, 'SIGCONT')
      expect(await old.ended).toMatchObject({
        code: 1,
        stderr:
          'jobmeter: another runner has taken over workflow 1, because this one gave no sign of life\n',
      })
    })

    it('and whose record was taken away tells it all the same', async () => {
      using box = sandbox()
      const command = 'touch started; while [ ! -e go ]; do sleep 0.02; done'
      const options = { env: { JOBMETER_NO_FFI: '1' }, input: '', ...otherPids }
      const run = box.start(['run', '--', 'sh', '-c', command], options)
      await until(() => existsSync(box.path('started')))
      process.kill(childOf(run.pid), 'SIGSTOP')
      silence(box, 301)
      expect(await box.history()).toMatchObject([{ status: 'interrupted' }])
      process.kill(childOf(run.pid), 'SIGCONT')
      writeFileSync(box.path('go'), '')
      expect((await run.ended).code).toBe(0)
      expect(await box.history()).toMatchObject([{ status: 'success', returncode: 0 }])
    })
  },
)

describe('several who find an owner dead at once', () => {
  it('run each job once', async () => {
    using box = sandbox()
    const old = box.start(['run', flow(box, gatedByAttempt)], { input: '' })
    await until(() => existsSync(box.path('started1')))
    old.signal('SIGKILL')
    await old.ended
    writeFileSync(box.path('go2'), '')
    const ends = await Promise.all(
      [1, 2, 3, 4].map(() => box.jobmeter(['run', '--resume', '1', '-q'])),
    )
    expect(ends.some(({ code }) => code === 0)).toBe(true)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
    expect(readdirSync(`${box.db}.spool`)).toEqual([])
  })
})

describe.skipIf(why !== undefined)('a runner in another pid namespace', () => {
  it('is not signalled by a pid that is another process here', async () => {
    using box = sandbox()
    const run = box.start(['run', flow(box, gated)], { input: '', ...otherPids })
    await until(() => existsSync(box.path('started')))
    const { code, stderr } = await box.jobmeter(['workflows', 'cancel', '1'])
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be reached from here. Cancel it there')
    writeFileSync(box.path('go'), '')
    expect((await run.ended).code).toBe(0)
  })
})

describe('an owner who is a zombie', () => {
  it('is dead', async () => {
    using box = sandbox()
    // A parent that never waits for its child.
    const within = ['sh', '-c', '"$@" & exec sleep 60', 'sh']
    const parent = box.start(['run', flow(box, gatedByAttempt)], { input: '', within })
    await until(() => existsSync(box.path('started1')))
    const pid = childOf(parent.pid)
    process.kill(pid, 'SIGKILL')
    await until(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
    expect(await states(box, here)).toEqual(['success', 'interrupted', 'waiting'])
    writeFileSync(box.path('go2'), '')
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(0)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
    parent.signal('SIGKILL')
    await parent.ended
  })
})
