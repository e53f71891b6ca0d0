import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BlankFiles } from './blank-files.ts'
import { JobLogFiles } from './job-logs.ts'
import { loadLibc, type Libc } from './libc.ts'
import { PosixProcesses } from './posix-processes.ts'
import type { ChildEnd, JobLogs } from './system.ts'

function ours(): Libc {
  const libc = loadLibc()
  if (libc.kind !== 'ok') throw new Error('these tests need libc')
  return libc.value
}

const libc = ours()
const processes = new PosixProcesses(libc, false)
let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'jobmeter-logs-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const log = (name: string) => join(folder, name)
const said = (name: string) => readFileSync(log(name), 'utf8')
const files = () => readdirSync(folder).toSorted()

interface Started {
  readonly pid: number
  readonly logs: JobLogs
  readonly end: Promise<ChildEnd>
}

/** Starts a line of shell whose output goes to NAME.o and NAME.e. */
function start(name: string, line: string, by = processes): Started {
  let reaped: (end: ChildEnd) => void = () => {}
  const end = new Promise<ChildEnd>((resolve) => (reaped = resolve))
  const result = by.spawn(
    {
      command: ['/bin/sh', '-c', line],
      environment: process.env,
      workingDirectory: folder,
      group: 'own',
      stdin: '/dev/null',
      stdout: log(`${name}.o`),
      stderr: log(`${name}.e`),
      ownLogs: true,
    },
    { reaped },
  )
  if (result.kind !== 'started') throw new Error(result.message)
  if (result.logs === undefined) throw new Error('it has no logs')
  return { pid: result.pid, logs: result.logs, end }
}

/** Runs it to its end; answers what was wrong with its logs. */
async function run(name: string, line: string, by = processes): Promise<readonly string[]> {
  const { logs, end } = start(name, line, by)
  await end
  return logs.end()
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('the logs of a job', () => {
  it('are files only where something was written', async () => {
    await run('none', 'true')
    await run('out', 'echo to out')
    await run('err', 'echo to err >&2')
    await run('both', 'seq 100000; seq 100000 >&2')
    await run('none-again', 'true')
    expect(files()).toEqual(['both.e', 'both.o', 'err.e', 'out.o'])
    expect(said('out.o')).toBe('to out\n')
    expect(said('err.e')).toBe('to err\n')
    expect(said('both.o')).toBe(said('both.e'))
    expect(said('both.o').split('\n')).toHaveLength(100_001)
    expect(statSync(log('out.o')).mode & 0o777).toBe(0o600)
  })

  it('have their names from the moment that is asked for, and go again where they stay empty', async () => {
    const job = start('a', 'echo first; while [ ! -e go ]; do sleep 0.01; done; echo last')
    job.logs.name()
    expect(files()).toEqual(['a.e', 'a.o'])
    await until(() => said('a.o') === 'first\n')
    writeFileSync(log('go'), '')
    await job.end
    expect(job.logs.end()).toEqual([])
    expect(files()).toEqual(['a.o', 'go'])
    expect(said('a.o')).toBe('first\nlast\n')
  })

  it('that somebody reads keep their names though they are empty', async () => {
    const job = start('a', 'while [ ! -e go ]; do sleep 0.01; done')
    job.logs.name()
    const reader = start('reader', `sleep 10 < ${log('a.o')} & echo $! > pid; wait`)
    await until(() => existsSync(log('pid')) && said('pid').endsWith('\n'))
    writeFileSync(log('go'), '')
    await job.end
    job.logs.end()
    expect(files()).toContain('a.o')
    expect(files()).not.toContain('a.e')
    process.kill(-reader.pid, 'SIGKILL')
    await reader.end
    reader.logs.end()
  })

  it('of a process that outlives its job are never another job’s', async () => {
    const late = 'while [ ! -e go ]; do sleep 0.01; done; echo late; echo late >&2; > over'
    await run('left', `(${late}) &`)
    for (const name of ['b', 'c', 'd']) await run(name, `echo ${name}; echo ${name} >&2`)
    writeFileSync(log('go'), '')
    await until(() => existsSync(log('over')))
    for (const name of ['left', 'b', 'c', 'd'])
      for (const stream of ['o', 'e'])
        expect(said(`${name}.${stream}`)).toBe(name === 'left' ? 'late\n' : `${name}\n`)
  })

  it('that a job made its own in another way are not used again', async () => {
    await run('chmod', 'chmod 666 /proc/self/fd/1')
    await run('grown', 'truncate -s 9 /proc/self/fd/1; truncate -s 0 /proc/self/fd/1')
    await run('after', 'echo after')
    expect(statSync(log('after.o')).mode & 0o777).toBe(0o600)
    expect(statSync(log('chmod.o')).mode & 0o777).toBe(0o666)
  })

  it('are added to where they are there already', async () => {
    await run('a', 'echo one')
    await run('a', 'echo two')
    await run('a', 'true')
    expect(said('a.o')).toBe('one\ntwo\n')
    writeFileSync(log('kept.o'), '')
    await run('kept', 'true')
    expect(files()).toEqual(['a.o', 'kept.o'])
  })

  it('never go through what was put in their place, before or while the job runs', async () => {
    writeFileSync(log('victim'), 'precious')
    symlinkSync(log('victim'), log('before.o'))
    expect(() => start('before', 'echo x')).toThrow('there is a link where its log should go')
    const job = start('while', 'echo mine')
    symlinkSync(log('victim'), log('while.o'))
    await job.end
    const [problem = ''] = job.logs.end()
    expect(said('victim')).toBe('precious')
    const kept = files().find((name) => name.startsWith('while.o.')) ?? ''
    expect(problem).toContain(log(kept))
    expect(said(kept)).toBe('mine\n')
  })

  it('say what could not be kept', async () => {
    const job = start('a', 'echo lost')
    await job.end
    rmSync(folder, { recursive: true })
    expect(job.logs.end()).toEqual([expect.stringContaining(`${log('a.o')}: ENOENT`)])
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-logs-'))
  })

  it('work where a file cannot do without a name, and go if they stay empty', async () => {
    const opened = new JobLogFiles(libc, new BlankFiles(libc, () => undefined))
    const by = new PosixProcesses(libc, false, opened)
    await run('none', 'true', by)
    await run('out', 'echo to out', by)
    await run('left', '(while [ ! -e go ]; do sleep 0.01; done; echo late; > over) &', by)
    expect(files()).toEqual(['left.e', 'left.o', 'out.o'])
    appendFileSync(log('go'), '')
    await until(() => existsSync(log('over')))
    expect(said('left.o')).toBe('late\n')
  })

  it('use no more than two files for any number of silent jobs', async () => {
    const made: number[] = []
    const blanks = new BlankFiles(libc, (directory) => {
      made.push(made.length)
      return BlankFiles.open(directory)
    })
    const by = new PosixProcesses(libc, false, new JobLogFiles(libc, blanks))
    for (let job = 0; job < 5; job++) await run(`job${job}`, 'true', by)
    expect(made).toHaveLength(2)
    expect(files()).toEqual([])
  })

  it('are refused where the folder may not be written to', () => {
    if (process.geteuid?.() === 0) return
    chmodSync(folder, 0o500)
    expect(() => start('a', 'true')).toThrow('EACCES')
  })
})
