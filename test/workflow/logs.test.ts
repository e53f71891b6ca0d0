import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, users, type Sandbox } from '../program.ts'
import { flow, lines, until } from './flow.ts'

const logsIn = (box: Sandbox): string[] => {
  const folder = box.path('output/job_stdio')
  return existsSync(folder) ? readdirSync(folder).toSorted() : []
}
const log = (box: Sandbox, name: string): string => box.path(`output/job_stdio/${name}`)
/** What is in it, as far as it is there. */
const said = (box: Sandbox, name: string): string =>
  existsSync(log(box, name)) ? readFileSync(log(box, name), 'utf8') : ''

const mixed = `jobs:
  - { name: none, command: "true" }
  - { name: out, command: "echo to out" }
  - { name: err, command: "echo to err >&2" }
  - { name: both, command: "seq 5000; seq 5000 >&2" }
  - { name: slow, command: "sleep 0.3" }
  - { name: slow_out, command: "sleep 0.3; echo late" }
`
const withoutFfi = { env: { JOBMETER_NO_FFI: '1' } }

describe.each(users)('the logs of a workflow run by $name', (user) => {
  it('are there for what was written, and for nothing else', async () => {
    using box = sandbox(user)
    writeFileSync(box.path('flow.yaml'), `name: flow\n${mixed}`)
    const ended = await box.jobmeter(['run', 'flow.yaml', '--max-parallel-jobs', '3'])
    expect(ended.code, ended.stderr).toBe(0)
    expect(logsIn(box)).toEqual([
      'job_1_2_1_1.o',
      'job_1_3_1_1.e',
      'job_1_4_1_1.e',
      'job_1_4_1_1.o',
      'job_1_6_1_1.o',
    ])
    expect(said(box, 'job_1_2_1_1.o')).toBe('to out\n')
    expect(said(box, 'job_1_3_1_1.e')).toBe('to err\n')
    expect(lines(log(box, 'job_1_4_1_1.o'))).toHaveLength(5000)
    expect(said(box, 'job_1_4_1_1.e')).toBe(said(box, 'job_1_4_1_1.o'))
    expect((await box.jobmeter(['logs', 'out'])).stdout).toBe('to out\n')
    const silent = await box.jobmeter(['logs', 'none', '--stderr'])
    expect(silent.code).toBe(0)
    expect(silent.stderr).toContain('job none wrote nothing to its standard error')
  })

  it('are whole without FFI too, where empty ones stay', async () => {
    using box = sandbox(user)
    writeFileSync(box.path('flow.yaml'), `name: flow\n${mixed}`)
    const ended = await box.jobmeter(['run', 'flow.yaml'], withoutFfi)
    expect(ended.code, ended.stderr).toBe(0)
    expect(said(box, 'job_1_2_1_1.o')).toBe('to out\n')
    expect(said(box, 'job_1_3_1_1.e')).toBe('to err\n')
    expect(lines(log(box, 'job_1_4_1_1.o'))).toHaveLength(5000)
    expect(said(box, 'job_1_6_1_1.o')).toBe('late\n')
    const silent = await box.jobmeter(['logs', 'none'], withoutFfi)
    expect(silent).toMatchObject({ code: 0, stdout: '' })
    expect(silent.stderr).toContain('job none wrote nothing')
  })
})

describe('the logs of a workflow', () => {
  const waiting = 'while [ ! -e go ]; do sleep 0.01; done'

  it('are there while the job runs, and can be followed', async () => {
    using box = sandbox()
    const spec = flow(box, `jobs: [{ name: a, command: "echo one; ${waiting}; echo two" }]\n`)
    const run = box.start(['run', spec])
    await until(() => said(box, 'job_1_1_1_1.o') === 'one\n')
    const following = box.start(['logs', 'a', '--stdout', '--follow'])
    await following.saw('one\n')
    writeFileSync(box.path('go'), '')
    expect(await following.ended).toMatchObject({ code: 0, stdout: 'one\ntwo\n' })
    expect((await run.ended).code).toBe(0)
    expect(logsIn(box)).toEqual(['job_1_1_1_1.o'])
  })

  it('outlive a runner that is killed, with what the job writes after that', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `jobs: [{ name: a, command: "echo one; ${waiting}; echo two; > over" }]\n`,
    )
    const run = box.start(['run', spec])
    await until(() => said(box, 'job_1_1_1_1.o') === 'one\n')
    run.signal('SIGKILL')
    await run.ended
    writeFileSync(box.path('go'), '')
    await until(() => existsSync(box.path('over')))
    expect(said(box, 'job_1_1_1_1.o')).toBe('one\ntwo\n')
    expect((await box.jobmeter(['logs', 'a'])).stdout).toBe('one\ntwo\n')
  })

  it('are those of one ledger, though others share the directory or were there before', async () => {
    using box = sandbox()
    const spec = (word: string) => {
      writeFileSync(
        box.path(`${word}.yaml`),
        `name: ${word}\njobs: [{ name: "j{i}", command: "echo ${word}{i}", parameters: { i: "1:20" } }]\n`,
      )
      return box.path(`${word}.yaml`)
    }
    const run = (word: string, db: string) =>
      box.jobmeter(['run', spec(word), '--db', box.path(db), '--max-parallel-jobs', '4'])
    const words = async (db: string) =>
      (await box.jobmeter(['logs', '--stdout', '--db', box.path(db)])).stdout.match(/^[a-z]+\d+$/gm)
    const expected = (word: string) => Array.from({ length: 20 }, (_, at) => `${word}${at + 1}`)
    await Promise.all([run('one', '1.db'), run('two', '2.db')])
    expect(await words('1.db')).toEqual(expected('one'))
    expect(await words('2.db')).toEqual(expected('two'))
    for (const end of ['', '-wal', '-shm']) rmSync(box.path(`1.db${end}`), { force: true })
    const { stderr } = await run('three', '1.db')
    expect(stderr).toMatch(
      /holds the logs of another ledger; the logs of this run go to .*output\.3\n/,
    )
    expect(await words('1.db')).toEqual(expected('three'))
  })

  it('are never mixed: each of many short jobs has its own words and no others', async () => {
    using box = sandbox()
    const jobs = 300
    const talk = 'if [ $(({i} % 3)) = 0 ]; then echo out {i}; echo err {i} >&2; fi'
    const spec = flow(
      box,
      `jobs: [{ name: "j{i}", command: "${talk}", parameters: { i: "1:${jobs}" } }]\n`,
    )
    const ended = await box.jobmeter(['run', spec, '--max-parallel-jobs', '8', '--cpus', '8'])
    expect(ended.code, ended.stderr).toBe(0)
    const talkers = Array.from({ length: jobs / 3 }, (_, index) => 3 * (index + 1))
    expect(logsIn(box)).toHaveLength(2 * talkers.length)
    for (const i of talkers) {
      expect(said(box, `job_1_${i}_1_1.o`)).toBe(`out ${i}\n`)
      expect(said(box, `job_1_${i}_1_1.e`)).toBe(`err ${i}\n`)
    }
  })

  it('have what a recovery script says after what its job said', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `failure_handlers: [{ name: again, rules: [{ exit_codes: [3], max_retries: 1, recovery_script: "echo mended" }] }]
jobs: [{ name: a, command: 'echo try $JOBMETER_ATTEMPT; [ $JOBMETER_ATTEMPT = 2 ] || exit 3', failure_handler: again }]
`,
    )
    const ended = await box.jobmeter(['run', spec])
    expect(ended.code, ended.stderr).toBe(0)
    expect(said(box, 'job_1_1_1_1.o')).toBe('try 1\nmended\n')
    expect(logsIn(box)).toEqual(['job_1_1_1_1.o', 'job_1_1_1_2.o'])
  })

  it('of a failed job that wrote nothing are not pointed to', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'jobs: [{ name: quiet, command: exit 3 }, { name: loud, command: "echo no >&2; exit 4" }]\n',
    )
    const { stderr } = await box.jobmeter(['run', spec])
    expect(stderr).toContain('quiet: failed, exited with code 3\n')
    expect(stderr).toContain(`loud: failed, exited with code 4  ${log(box, 'job_1_2_1_1.e')}\n`)
  })
})
