import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, lines, results, states } from './flow.ts'

/** Each job writes its name down. `train` fails; `plot` comes after it, `report` after `fetch`. */
const broken = `jobs:
  - { name: fetch, command: echo fetch >> order }
  - { name: train, command: echo train >> order; exit 3, depends_on: [fetch] }
  - { name: plot, command: echo plot >> order, depends_on: [train] }
  - { name: report, command: echo report >> order, depends_on: [fetch] }
  - { name: alone, command: echo alone >> order }
`
const mended = broken.replace('; exit 3', '')

async function runBroken(box: Sandbox): Promise<string> {
  const path = flow(box, broken)
  expect((await box.jobmeter(['run', path])).code).toBe(1)
  rmSync(box.path('order'))
  return path
}

const ran = (box: Sandbox): string[] =>
  existsSync(box.path('order')) ? lines(box.path('order')) : []

describe('going on with a mended file', () => {
  it('runs what changed and what is left, and says so', async () => {
    using box = sandbox()
    const path = await runBroken(box)
    flow(box, mended)
    const { code, stderr } = await box.jobmeter(['run', path, '--resume', '1'])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('resuming: 2 of 5 jobs left; 1 changed: train')
    expect(ran(box)).toEqual(['train', 'plot'])
    expect((await results(box)).map(({ job_name, attempt }) => `${job_name} ${attempt}`)).toEqual([
      'fetch 1',
      'train 2',
      'plot 1',
      'report 1',
      'alone 1',
    ])
    expect((await box.jobmeter(['workflows', 'show', '1', '--spec'])).stdout).toBe(
      readFileSync(path, 'utf8'),
    )
  })

  it('runs again what succeeded where it changed, with what depends on it', async () => {
    using box = sandbox()
    const path = await runBroken(box)
    flow(box, mended.replace('echo fetch', 'echo better fetch'))
    const { stderr } = await box.jobmeter(['run', path, '--resume', '1'])
    expect(stderr).toContain(
      'resuming: 4 of 5 jobs left; 2 changed: fetch, train; 1 depends on them: report',
    )
    expect(ran(box).toSorted()).toEqual(['better fetch', 'plot', 'report', 'train'])
  })

  it('leaves out what was removed, keeps its records, and adds what is new', async () => {
    using box = sandbox()
    const path = await runBroken(box)
    const added = '  - { name: mail, command: echo mail >> order, depends_on: [report] }\n'
    flow(box, `${mended.replace(/.*alone.*\n/, '')}${added}`)
    const { stderr } = await box.jobmeter(['run', path, '--resume', '1'])
    expect(stderr).toContain('1 new: mail; 1 removed: alone')
    expect(ran(box).toSorted()).toEqual(['mail', 'plot', 'train'])
    expect(Object.keys(await states(box))).toEqual(['fetch', 'train', 'plot', 'report', 'mail'])
    expect((await results(box)).map(({ job_name }) => job_name)).not.toContain('alone')
    const all = await results(box, '--all-runs')
    expect(all.filter(({ job_name }) => job_name === 'alone')).toMatchObject([
      { status: 'success', run_id: 1 },
    ])
  })

  it('takes new requests for what is left, and runs nothing again for them', async () => {
    using box = sandbox()
    const path = await runBroken(box)
    const asks = ', resource_requirements: { num_cpus: 1, memory: 10m } }'
    flow(box, mended.replaceAll(' }\n', `${asks}\n`))
    await box.jobmeter(['run', path, '--resume', '1'])
    expect(ran(box)).toEqual(['train', 'plot'])
    const asked = (await box.history()).map(({ name, requirements }) => [name, requirements.cpus])
    expect(Object.fromEntries(asked.toReversed())).toMatchObject({ fetch: null, train: 1, plot: 1 })
  })
})

describe('going on without naming the file', () => {
  it('asks which one where it has changed, and takes either word', async () => {
    using box = sandbox()
    await runBroken(box)
    flow(box, mended)
    const asked = await box.jobmeter(['run', '--resume', '1'])
    expect(asked.code).toBe(2)
    expect(asked.stderr).toContain('flow.yaml has changed since workflow 1 was stored')
    expect(asked.stderr).toContain('--use changed')
    expect(asked.stderr).toContain('--use stored')
    expect(ran(box)).toEqual([])
    expect((await box.jobmeter(['run', '--resume', '1', '--use', 'stored'])).code).toBe(1)
    expect(ran(box)).toEqual(['train'])
    expect((await box.jobmeter(['run', '--resume', '1', '--use', 'changed'])).code).toBe(0)
    expect(ran(box)).toEqual(['train', 'train', 'plot'])
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(0)
  })

  it('does not ask where only the looks of the file changed, or it is gone', async () => {
    using box = sandbox()
    const path = await runBroken(box)
    writeFileSync(path, `# a remark\n${readFileSync(path, 'utf8')}\n`)
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(1)
    rmSync(path)
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(1)
    expect(ran(box)).toEqual(['train', 'train'])
  })

  it('asks also where the file is broken now, and says where', async () => {
    using box = sandbox()
    const path = await runBroken(box)
    writeFileSync(path, 'name: flow\njobz: []\n')
    const asked = await box.jobmeter(['run', '--resume', '1'])
    expect(asked.stderr).toContain('has changed since')
    const refused = await box.jobmeter(['run', '--resume', '1', '--use', 'changed'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('jobz')
    expect(ran(box)).toEqual([])
  })

  it('refuses words that do not go together', async () => {
    using box = sandbox()
    const path = await runBroken(box)
    const wrong = [
      ['run', path, '--resume', '1', '--use', 'changed'],
      ['run', path, '--use', 'stored'],
    ]
    for (const argv of wrong) {
      const { code, stderr } = await box.jobmeter(argv)
      expect(code).toBe(2)
      expect(stderr).toContain('--use goes with --resume ID and no file')
    }
    expect((await box.jobmeter(['run', path, '--resume', '9'])).stderr).toContain(
      'there is no workflow 9',
    )
  })
})
