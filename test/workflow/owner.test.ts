import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type HistoryRecord, type Sandbox } from '../program.ts'
import { flow, lines, until, type ResultJson } from './flow.ts'
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
        const { results } = await look<{ results: ResultJson[] }>(box, looker, [
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
