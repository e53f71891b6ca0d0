import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadLibc } from './libc.ts'
import { PosixProcesses } from './posix-processes.ts'
import type { ChildEnd, ChildWatcher, SpawnRequest, SpawnResult } from './system.ts'

const libc = loadLibc()

const ways = [
  { way: 'started by this thread', aside: false },
  { way: 'started by another thread', aside: true },
]
const processes = libc.kind === 'ok' ? new PosixProcesses(libc.value, false) : undefined

describe.skipIf(libc.kind !== 'ok')('a system that starts no process', () => {
  it('does not listen for the end of any', () => {
    const before = process.listenerCount('SIGCHLD')
    const { value } = libc as Extract<typeof libc, { kind: 'ok' }>
    const opened = Array.from({ length: 20 }, () => new PosixProcesses(value, false))
    expect(opened.map(({ adoptsOrphans }) => adoptsOrphans)).not.toContain(true)
    expect(process.listenerCount('SIGCHLD')).toBe(before)
  })
})

describe.skipIf(processes === undefined).each(ways)('processes by libc, $way', ({ aside }) => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-processes-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const start = async (
    command: readonly string[],
    differences: Partial<SpawnRequest> = {},
  ): Promise<{ result: SpawnResult; end: Promise<ChildEnd>; statAtEnd: () => string }> => {
    let statAtEnd = ''
    const request: SpawnRequest = {
      command,
      environment: process.env,
      workingDirectory: folder,
      group: 'own',
      stdout: join(folder, 'out'),
      stderr: join(folder, 'err'),
      ...differences,
    }
    const ended = Promise.withResolvers<ChildEnd>()
    const watcher: ChildWatcher = {
      ended: (pid) => (statAtEnd = readFileSync(`/proc/${pid}/stat`, 'latin1')),
      reaped: ended.resolve,
    }
    const result = await new Promise<SpawnResult>((resolve) => {
      if (aside) processes?.spawnAside(request, watcher, resolve)
      else if (processes !== undefined) resolve(processes.spawn(request, watcher))
    })
    return { result, end: ended.promise, statAtEnd: () => statAtEnd }
  }
  const endOf = async (...given: Parameters<typeof start>): Promise<ChildEnd> =>
    (await start(...given)).end
  const output = (name: string) => readFileSync(join(folder, name), 'utf8')

  it('tell of the end while the process can still be looked at, then with its account', async () => {
    const { result, end, statAtEnd } = await start(['sh', '-c', 'exit 5'])
    expect(result).toMatchObject({ kind: 'started', pid: expect.any(Number) })
    const { exitCode, signal, account } = await end
    expect({ exitCode, signal }).toEqual({ exitCode: 5, signal: null })
    expect(statAtEnd()).toMatch(/^\d+ \(sh\) Z /)
    expect(account?.minorFaults).toBeGreaterThan(10)
    expect(account?.largestProcessBytes).toBeGreaterThan(100_000)
    expect(account?.userSeconds).toBeGreaterThanOrEqual(0)
    expect((account?.userSeconds ?? 9) + (account?.systemSeconds ?? 9)).toBeLessThan(1)
  })

  it('name the signal', async () => {
    const { end } = await start(['sh', '-c', 'kill -SEGV $$'])
    expect(await end).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
  })

  // Node's list of signals has two names for some numbers, and the later one is taken: SIGIOT.
  it('name it as people do', async () => {
    const { end } = await start(['sh', '-c', 'kill -ABRT $$'])
    expect(await end).toMatchObject({ signal: 'SIGABRT' })
  })

  // The shell is given the bare name and looks for it in the working directory.
  it('run a script without a first line that is found on the path', async () => {
    writeFileSync(join(folder, 'bare-on-path'), 'exit 6\n')
    chmodSync(join(folder, 'bare-on-path'), 0o755)
    const path = process.env['PATH']
    process.env['PATH'] = `${folder}:${path}`
    const { end } = await start(['bare-on-path'], { workingDirectory: '/' })
    process.env['PATH'] = path
    expect((await end).exitCode).toBe(6)
  })

  it('let a broken pipe end the job, as everywhere but in Node', async () => {
    // Node ignores SIGPIPE; a child that inherited that would write for ever.
    const { end } = await start([
      'sh',
      '-c',
      'sed -n "s/^SigIgn:.//p" /proc/self/status; exec 1>&-',
    ])
    await end
    const ignored = BigInt(`0x${output('out').trim()}`)
    expect(ignored & (1n << 12n)).toBe(0n)
    const piped = await start(['bash', '-c', 'yes | head -1 > /dev/null; exit ${PIPESTATUS[0]}'])
    expect((await piped.end).exitCode).toBe(141)
  })

  it('block no signal that we do not', async () => {
    await endOf(['sed', '-n', 's/^SigBlk:.//p', '/proc/self/status'], {
      stdout: join(folder, 'blocked'),
    })
    expect(output('blocked')).toBe(
      readFileSync('/proc/self/status', 'latin1').replace(/.*SigBlk:.(\w+\n).*/s, '$1'),
    )
  })

  it('append to the files for output', async () => {
    const files = { stdout: join(folder, 'log'), stderr: join(folder, 'log') }
    await endOf(['sh', '-c', 'echo one; echo two >&2'], files)
    await endOf(['sh', '-c', 'echo three'], files)
    expect(output('log')).toBe('one\ntwo\nthree\n')
  })

  it('put the job in a process group of its own, or leave it in ours', async () => {
    const show = ['sh', '-c', 'cut -d" " -f5 /proc/$$/stat; echo $$']
    await endOf(show, { stdout: join(folder, 'own') })
    const [group, pid] = output('own').split('\n')
    expect(group).toBe(pid)
    await endOf(show, { stdout: join(folder, 'shared'), group: 'shared' })
    const ours = readFileSync('/proc/self/stat', 'latin1').replace(/.*\) /, '').split(' ')[2]
    expect(output('shared').split('\n')[0]).toBe(ours)
  })

  it('run a script without a first line by the shell, with its arguments', async () => {
    writeFileSync(join(folder, 'bare'), 'echo "<$1> <$2>"\nexit 6\n')
    chmodSync(join(folder, 'bare'), 0o755)
    const { end } = await start([join(folder, 'bare'), 'a b', '*'], {
      stdout: join(folder, 'bare.out'),
    })
    expect((await end).exitCode).toBe(6)
    expect(output('bare.out')).toBe('<a b> <*>\n')
  })

  it.each([
    { what: 'no such command', command: ['no-such-command-anywhere'], code: 'ENOENT' },
    { what: 'a folder', command: ['/tmp'], code: 'EACCES' },
    { what: 'a file on the way', command: ['/etc/passwd/x'], code: 'ENOTDIR' },
    { what: 'too much', command: ['true', 'x'.repeat(4_000_000)], code: 'E2BIG' },
  ])('say why not: $what', async ({ command, code }) => {
    expect((await start(command)).result).toMatchObject({
      kind: 'not-started',
      errorCode: code,
      message: expect.stringContaining(command[0] ?? ''),
    })
  })

  it('do not start where the working directory is missing', async () => {
    const { result } = await start(['true'], { workingDirectory: join(folder, 'none') })
    expect(result).toMatchObject({
      kind: 'not-started',
      errorCode: 'ENOENT',
    })
  })

  // It says that the command was not found.
  it('say that it is the working directory which is missing', async () => {
    const { result } = await start(['true'], { workingDirectory: join(folder, 'none') })
    expect(result).toMatchObject({ message: expect.stringContaining('none') })
  })

  it('leave children of the program around them to it', async () => {
    expect(processes?.adoptsOrphans).toBe(false)
    const theirs = spawn('sh', ['-c', 'read line; exit 8'], { stdio: ['pipe', 'ignore', 'ignore'] })
    const theirEnd = new Promise<number | null>((resolve) => theirs.once('exit', resolve))
    // Theirs is dead before ours, and our reaping must pass it by.
    theirs.stdin.end('go\n')
    const ends = await Promise.all([
      endOf(['sh', '-c', 'exit 1']),
      endOf(['sh', '-c', 'exit 2']),
      theirEnd,
    ])
    expect(ends[2]).toBe(8)
    expect([ends[0].exitCode, ends[1].exitCode]).toEqual([1, 2])
  })

  it('see every one of many children that end together', async () => {
    const ends = Array.from({ length: 60 }, (_, index) => endOf(['sh', '-c', `exit ${index}`]))
    expect((await Promise.all(ends)).map(({ exitCode }) => exitCode)).toEqual(
      ends.map((_, index) => index),
    )
  })
})
