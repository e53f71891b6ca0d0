import { describe, expect, it } from 'vitest'
import { failed, ok, type Reading } from '../../model/reading.ts'
import { fakeSystem } from '../../system/fake.ts'
import type { System } from '../../system/system.ts'
import { SlurmJobs } from './slurm-jobs.ts'

type Answer = (command: readonly string[]) => Promise<Reading<string>>

/** One job after the other, as `squeue` writes them. */
function squeue(...jobs: readonly (readonly [id: string, uid: number])[]): Reading<string> {
  const widths = [20, 20, 20, 20, 20, 20, 100, 20, 40, 400]
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, at) => String(cell).padEnd(widths[at] ?? 0)).join('')
  const heading =
    'JOBID ARRAY_JOB_ID ARRAY_TASK_ID HET_JOB_ID HET_JOB_OFFSET UID ACCOUNT RESTART_COUNT TIME_LIMIT TRES_ALLOC'
  const rows = jobs.map(([id, uid]) =>
    line([id, id, 'N/A', 'N/A', 'N/A', uid, 'physics', 0, '10:00', 'cpu=2,mem=1G']),
  )
  return ok([line(heading.split(' ')), ...rows, ''].join('\n'))
}

/** A node on which rounds are taken, and whoever is asked is noted. */
function node(answer: Answer) {
  const fake = fakeSystem()
  const asked: string[][] = []
  const system: System = {
    ...fake,
    toolOutput: (command) => {
      asked.push([...command])
      return answer(command)
    },
  }
  const slurm = new SlurmJobs(system)
  const round = async (jobs: readonly (readonly [id: string, uid: number])[]) => {
    const words = jobs.map(([id, uid]) => slurm.of(id, uid, 'environment'))
    slurm.endRound({})
    await new Promise((resolve) => setImmediate(resolve))
    fake.advance(60)
    return words
  }
  return { round, asked, slurm, advance: fake.advance }
}

const idsIn = (command: readonly string[]): string[] =>
  command
    .find((word) => word.startsWith('--jobs='))
    ?.slice(7)
    .split(',') ?? []

describe('what Slurm says of the jobs of a node', () => {
  it('is asked for once, with one command for all jobs that are new', async () => {
    const jobs = Array.from({ length: 50 }, (_, at) => [`${at + 1}`, 1000] as const)
    const { round, asked } = node(() => Promise.resolve(squeue(...jobs)))
    expect(await round(jobs)).toEqual(jobs.map(() => undefined))
    for (let rounds = 0; rounds < 20; rounds++) {
      const words = await round(jobs)
      expect(words.every((word) => word?.account === 'physics')).toBe(true)
    }
    expect(asked).toHaveLength(1)
    expect(asked[0]?.[2]).toBe(`--jobs=${jobs.map(([id]) => id).join(',')}`)
    for (let rounds = 0; rounds < 20; rounds++) await round(jobs)
    // A time limit may be changed meanwhile.
    expect(asked).toHaveLength(2)
  })

  it('is not believed of a job of another user', async () => {
    const { round, asked, slurm } = node(() => Promise.resolve(squeue(['7', 1000])))
    await round([
      ['7', 2000],
      ['7', 1000],
    ])
    const [thief, owner] = await round([
      ['7', 2000],
      ['7', 1000],
    ])
    expect(thief).toBeUndefined()
    expect(owner).toMatchObject({ id: '7', uid: 1000 })
    expect(asked).toHaveLength(1)
    await round([])
    expect(slurm.takeLate()).toEqual([])
  })

  it('is asked for less and less often while Slurm does not answer, and is reported late', async () => {
    let answer: Reading<string> = failed(
      'slurm_load_jobs error: Unable to contact slurm controller',
    )
    const { round, asked, slurm } = node(() => Promise.resolve(answer))
    await round([['7', 1000]])
    for (let rounds = 0; rounds < 10; rounds++) await round([['7', 1000]])
    const questions = asked.filter(([tool]) => tool === 'squeue').length
    expect(questions).toBeLessThan(7)
    expect(asked.filter(([tool]) => tool === 'sacct')).toHaveLength(questions)
    answer = squeue(['7', 1000])
    for (let rounds = 0; rounds < 60; rounds++) await round([])
    expect(slurm.takeLate()).toMatchObject([{ id: '7', word: { account: 'physics' } }])
    expect(slurm.has('7', 1000)).toBe(false)
  })

  it('keeps no round waiting while nobody answers, and is then asked for no second time', async () => {
    const { round, asked } = node(() => new Promise(() => undefined))
    for (let rounds = 0; rounds < 10; rounds++) await round([[String(rounds), 1000]])
    expect(asked).toHaveLength(1)
  })

  it('is not asked for by what is not the number of a job, for which Slurm would refuse the others too', async () => {
    const { round, asked } = node(() => Promise.resolve(squeue(['7', 1000])))
    const jobs = (['0', '999999999999', 's0123456789abc', '7'] as const).map(
      (id) => [id, 1000] as const,
    )
    await round(jobs)
    expect(asked).toEqual([expect.arrayContaining(['squeue', '--jobs=7'])])
    expect((await round(jobs))[3]).toMatchObject({ id: '7' })
  })

  it.each([1, 57, 200])(
    'is told of all others where Slurm refuses a command for one id (of job %i of 200)',
    async (bad) => {
      const jobs = Array.from({ length: 200 }, (_, at) => [`${at + 1}`, 1000] as const)
      const { round, asked } = node((command) => {
        const ids = idsIn(command)
        if (ids.includes(`${bad}`)) return Promise.resolve(failed(`${command[0]} ended with 1`))
        return Promise.resolve(
          command[0] === 'sacct' ? ok('') : squeue(...ids.map((id) => [id, 1000] as const)),
        )
      })
      await round(jobs)
      const words = await round(jobs)
      expect(words.flatMap((word, at) => (word === undefined ? [at + 1] : []))).toEqual([bad])
      expect(asked.length).toBeLessThan(24)
    },
  )

  it('is asked for with a bounded number of commands where each is refused', async () => {
    const jobs = Array.from({ length: 200 }, (_, at) => [`${at + 1}`, 1000] as const)
    const { round, asked } = node(() => Promise.resolve(failed('squeue ended with 1')))
    await round(jobs)
    expect(asked.filter(([tool]) => tool === 'squeue').length).toBeLessThanOrEqual(24)
    expect(asked.filter(([tool]) => tool === 'sacct').length).toBeLessThanOrEqual(24)
  })

  it('is not asked for in halves of a Slurm that hangs', async () => {
    const jobs = [['7', 1000] as const, ['8', 1000] as const]
    const hung = node(() => {
      hung.advance(10)
      return Promise.resolve(failed('squeue did not answer for 10 s'))
    })
    await hung.round(jobs)
    expect(hung.asked).toHaveLength(2)
  })

  it('is asked for of every user, however many ids one of them makes up', async () => {
    const { round, asked } = node((command) =>
      Promise.resolve(command[0] === 'sacct' ? ok('') : squeue(['7', 1000], ['8', 1000])),
    )
    const madeUp = Array.from({ length: 3000 }, (_, at) => [`${at + 100}`, 2000] as const)
    await round([...madeUp, ['7', 1000], ['8', 1000]])
    const ids = asked.filter(([tool]) => tool === 'squeue').flatMap(idsIn)
    expect(ids).toEqual(expect.arrayContaining(['7', '8']))
    expect(ids).toHaveLength(200)
  })

  it('is asked for first of jobs that have a cgroup, and with a command of their own', async () => {
    const { slurm, asked } = node((command) =>
      Promise.resolve(idsIn(command).includes('150') ? failed('squeue ended with 1') : ok('')),
    )
    for (let id = 100; id < 400; id++) slurm.of(`${id}`, 1000, 'environment')
    for (let id = 1; id <= 20; id++) slurm.of(`${id}`, 1000, 'cgroup')
    slurm.endRound({})
    await new Promise((resolve) => setImmediate(resolve))
    const own = Array.from({ length: 20 }, (_, at) => `${at + 1}`)
    const [first, second] = asked.filter(([tool]) => tool === 'squeue').map(idsIn)
    expect(first).toEqual(own)
    expect(second).toHaveLength(180)
  })

  it('is forgotten of jobs that nobody knows', async () => {
    const { round, asked, slurm } = node(() => Promise.resolve(ok('')))
    await round([['7', 1000]])
    for (let rounds = 0; rounds < 200; rounds++) await round([])
    expect(slurm.has('7', 1000)).toBe(false)
    expect(asked.length).toBeLessThanOrEqual(12)
  })
})
