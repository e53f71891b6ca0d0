import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { killLeftovers, parseTrace, traceText, type JobTrace } from './leftovers.ts'

const files = {
  '/proc/7/environ': 'PATH=/bin\0JOBMETER_TASK_ID=00ab\0HOME=/root\0',
  '/proc/8/environ': 'JOBMETER_TASK_ID=00ab',
  '/proc/9/environ': 'JOBMETER_TASK_ID=00abc\0',
  '/proc/10/environ': 'OTHER_JOBMETER_TASK_ID=00ab\0',
  '/proc/11/environ': 'PATH=/bin\0',
  '/proc/12/stat': 'whose environment is not ours to read',
  '/proc/self/environ': 'JOBMETER_TASK_ID=00ab\0',
}

describe('what a killed runner left', () => {
  it('is killed by the mark of its task, and nothing else is', () => {
    const system = fakeSystem({ files })
    expect(killLeftovers(system, new Set(['00ab', '00ff']))).toEqual([7, 8])
    expect(system.signals).toEqual([
      { pid: 7, signal: 'SIGKILL' },
      { pid: 8, signal: 'SIGKILL' },
    ])
  })

  it('is not what runs in a container, which may be of an image that was made of one of the job', () => {
    const id = 'c0'.repeat(32)
    const inside = {
      '/proc/7/environ': 'JOBMETER_TASK_ID=00ab\0',
      '/proc/7/cgroup': `4:memory:/docker/${id}\n0::/\n`,
    }
    expect(killLeftovers(fakeSystem({ files: inside }), new Set(['00ab']))).toEqual([])
    // Unless we are in that container ourselves.
    const beside = { ...inside, '/proc/self/cgroup': `0::/docker/${id}/init\n` }
    expect(killLeftovers(fakeSystem({ files: beside }), new Set(['00ab']))).toEqual([7])
  })

  it('is not looked for where nothing was interrupted', () => {
    const system = fakeSystem({ files })
    expect(killLeftovers(system, new Set())).toEqual([])
    expect(system.signals).toEqual([])
  })
})

const stat = (pid: number, group: number, session: number, startTicks: number, state = 'S') =>
  `${pid} (sleep) ${state} 1 ${group} ${session} 0 -1 0 9 0 0 0 1 1 0 0 20 0 1 0 ${startTicks} 9 9\n`

const trace: JobTrace = {
  taskId: '00ab',
  pid: 20,
  startTicks: 500,
  sessionId: 3,
  cgroups: ['/sys/fs/cgroup/jobmeter-4-1'],
}
const killed = (more: Record<string, string>) =>
  killLeftovers(fakeSystem({ files: more }), new Set(['00ab']), [trace])

describe('what carries no mark', () => {
  it('is killed where it is in the group that the job began with', () => {
    const processes = {
      '/proc/20/stat': stat(20, 20, 3, 500),
      '/proc/21/stat': stat(21, 20, 3, 700),
      '/proc/22/stat': stat(22, 22, 3, 700),
    }
    expect(killed(processes)).toEqual([20, 21])
  })

  it('is killed though the leader of the group is gone', () => {
    expect(killed({ '/proc/21/stat': stat(21, 20, 3, 700) })).toEqual([21])
  })

  it('is killed where it is in the cgroup that was made for the job', () => {
    const processes = {
      '/proc/30/stat': stat(30, 30, 30, 900),
      '/proc/31/stat': stat(31, 31, 31, 900),
      '/sys/fs/cgroup/jobmeter-4-1/cgroup.procs': '30\n',
    }
    expect(killed(processes)).toEqual([30])
  })

  it.each([
    ['a group whose number was given to another leader', { '/proc/20/stat': stat(20, 20, 3, 800) }],
    ['a group of another session', { '/proc/21/stat': stat(21, 20, 4, 700) }],
    ['a process that is older than the job', { '/proc/21/stat': stat(21, 20, 3, 499) }],
    ['a zombie', { '/proc/21/stat': stat(21, 20, 3, 700, 'Z') }],
    [
      'what carries the mark of another job',
      { '/proc/21/stat': stat(21, 20, 3, 700), '/proc/21/environ': 'JOBMETER_TASK_ID=00cd\0' },
    ],
    [
      'what is in a cgroup whose maker’s pid is in use again',
      {
        '/proc/4/stat': stat(4, 4, 4, 600),
        '/proc/30/stat': stat(30, 30, 30, 900),
        '/sys/fs/cgroup/jobmeter-4-1/cgroup.procs': '30\n',
      },
    ],
    [
      'what a folder names that is no cgroup',
      { '/proc/30/stat': stat(30, 30, 30, 900), '/tmp/jobmeter-4-1/cgroup.procs': '30\n' },
    ],
    [
      'what is older than the job, in a cgroup of the same name',
      {
        '/proc/30/stat': stat(30, 30, 30, 400),
        '/sys/fs/cgroup/jobmeter-4-1/cgroup.procs': '30\n',
      },
    ],
  ])('is spared: %s', (_, processes) => {
    expect(killed(processes)).toEqual([])
  })
})

describe('a trace', () => {
  it('is read as it was written, and nothing else is', () => {
    expect(parseTrace(traceText(trace))).toEqual(trace)
    for (const text of [
      '',
      'null',
      '7',
      '{}',
      '{"taskId":"a","pid":1.5}',
      traceText(trace).slice(1),
    ])
      expect(parseTrace(text)).toBeUndefined()
    expect(parseTrace(traceText({ ...trace, cgroups: [7 as unknown as string] }))).toBeUndefined()
  })
})
