import { describe, expect, it } from 'vitest'
import { nameFailedStart, nameOutcome, type EndFacts } from './ending.ts'

const facts = (differences: Partial<EndFacts> = {}): EndFacts => ({
  end: { exitCode: 0, signal: null, account: null },
  endedBy: null,
  oomKills: 0,
  limitMetBytes: null,
  stragglers: [],
  ...differences,
})
const exit = (exitCode: number) => ({ exitCode, signal: null, account: null })
const killed = (signal: NodeJS.Signals) => ({ exitCode: null, signal, account: null })

describe('the outcome of a job', () => {
  it.each([
    [facts(), 'success', 0, null],
    [facts({ end: exit(3) }), 'failed', 3, null],
    [facts({ end: killed('SIGSEGV') }), 'failed', 139, 'ended by SIGSEGV'],
    [facts({ end: killed('SIGABRT') }), 'failed', 134, 'ended by SIGABRT'],
    [
      facts({ end: killed('SIGTERM'), endedBy: { kind: 'user', signal: 'SIGTERM' } }),
      'cancelled',
      143,
      'cancelled by SIGTERM',
    ],
    [
      facts({ end: exit(0), endedBy: { kind: 'user', signal: 'SIGINT' } }),
      'success',
      0,
      'ended by itself after SIGINT',
    ],
    [
      facts({ end: exit(7), endedBy: { kind: 'user', signal: 'SIGINT' } }),
      'cancelled',
      7,
      'cancelled by SIGINT',
    ],
    [
      facts({ end: exit(0), endedBy: { kind: 'timeout', afterSeconds: 5 } }),
      'timeout',
      124,
      'over its time limit of 5 s',
    ],
    [
      facts({ end: exit(0), endedAfterIt: 2 }),
      'success',
      0,
      'ended 2 processes that it left running',
    ],
    [facts({ end: exit(3), endedAfterIt: 1 }), 'failed', 3, null],
    [
      facts({ end: killed('SIGKILL'), oomKills: 1 }),
      'failed',
      137,
      'out of memory: the kernel killed a process of the job',
    ],
    [
      facts({ end: killed('SIGKILL'), oomKills: 1, limitMetBytes: 2 ** 26 }),
      'failed',
      137,
      'out of memory: the kernel held it to its limit of 64.0 MB',
    ],
    [
      facts({
        end: killed('SIGKILL'),
        endedBy: { kind: 'memory', limitBytes: 2 ** 20, seenBytes: 2 ** 21 },
      }),
      'failed',
      137,
      'out of memory: used 2.0 MB, over its limit of 1.0 MB',
    ],
  ])('is named in case %#', (given, status, exitCode, reason) => {
    expect(nameOutcome(given)).toMatchObject({ status, exitCode, reason, stragglers: [] })
  })

  it('is a success for a job that coped with children killed for want of memory, and says so', () => {
    expect(nameOutcome(facts({ oomKills: 2 }))).toMatchObject({
      status: 'success',
      exitCode: 0,
      reason: '2 processes of the job were killed for memory',
    })
    const limited = nameOutcome(facts({ oomKills: 1, limitMetBytes: 2 ** 26 }))
    expect(limited.reason).toBe(
      '1 process of the job was killed for memory at its limit of 64.0 MB',
    )
  })

  it('tells of a child killed for memory where the job then waited for it in vain', () => {
    const endedBy = { kind: 'timeout', afterSeconds: 5 } as const
    const outcome = nameOutcome(facts({ endedBy, oomKills: 1, limitMetBytes: 2 ** 26 }))
    expect(outcome).toMatchObject({
      status: 'timeout',
      reason:
        'over its time limit of 5 s; 1 process of the job was killed for memory at its limit of 64.0 MB',
    })
  })

  it('is a cancellation of a job that had gone on without a child killed for memory', () => {
    const endedBy = { kind: 'user', signal: 'SIGINT' } as const
    expect(nameOutcome(facts({ end: exit(130), endedBy, oomKills: 1 }))).toMatchObject({
      status: 'cancelled',
      exitCode: 130,
      reason: 'cancelled by SIGINT; 1 process of the job was killed for memory',
    })
  })

  it('names who was left behind', () => {
    const stragglers = [{ pid: 7, command: 'sleep 30' }]
    expect(nameOutcome(facts({ stragglers })).stragglers).toEqual(stragglers)
  })
})

describe('a start that failed', () => {
  it.each([
    ['ENOENT', 127],
    ['ENOTDIR', 127],
    ['EACCES', 126],
    ['ENOEXEC', 126],
    ['E2BIG', 126],
  ])('by %s has the code of a shell, %d', (errorCode, exitCode) => {
    const result = { kind: 'not-started', errorCode, message: 'x: why' } as const
    expect(nameFailedStart(result)).toEqual({
      status: 'error',
      exitCode,
      signal: null,
      reason: 'x: why',
      stragglers: [],
    })
  })
})
