import type { FollowedCgroup } from '../../src/meter/follow-request.ts'
import type { MadeMachine } from './made-machine.ts'

export type CgroupKind = 'none' | 'v1' | 'v2' | 'both'

/** A cgroup of a made-up machine that holds all the processes named by `members`. */
export function makeCgroup(
  machine: MadeMachine,
  kind: CgroupKind,
  members: () => readonly number[],
): FollowedCgroup | null {
  if (kind === 'none') return null
  const v2 = kind === 'v1' ? null : '/cg2/job'
  const v1 = new Map(
    kind === 'v2'
      ? []
      : [
          ['memory', '/cg1/memory/job'],
          ['cpuacct', '/cg1/cpuacct/job'],
        ],
  )
  for (const [path, content] of filesOf(machine, kind, members)) {
    machine.system.tree.set(path, content)
  }
  return { v2, v1, joinsLater: false, launcherCpuSeconds: 0.001 }
}

function filesOf(
  machine: MadeMachine,
  kind: CgroupKind,
  members: () => readonly number[],
): [string, () => string][] {
  const ticks = (which: 'userTicks' | 'systemTicks') => {
    let sum = 0
    for (const pid of members()) sum += machine.processes.get(pid)?.total()[which] ?? 0
    return sum
  }
  const living = () => members().filter((pid) => machine.processes.get(pid)?.state === 'S')
  const resident = () => {
    let sum = 0
    for (const pid of living()) sum += machine.processes.get(pid)?.residentBytes ?? 0
    return sum
  }
  const pressure = () => 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1200\n'
  const seconds = (count: number) => `${Math.round(count * 1e7)}\n`
  const procs = () =>
    living()
      .map((pid) => `${pid}\n`)
      .join('')
  const v2: [string, () => string][] = [
    ['/cg2/job/cgroup.procs', procs],
    [
      '/cg2/job/cpu.stat',
      () => {
        const [user, system] = [ticks('userTicks') * 10_000, ticks('systemTicks') * 10_000]
        return `usage_usec ${user + system}\nuser_usec ${user}\nsystem_usec ${system}\n`
      },
    ],
    ['/cg2/job/cpu.pressure', pressure],
    ['/cg2/job/memory.pressure', pressure],
    ['/cg2/job/io.pressure', pressure],
  ]
  const v2Memory: [string, () => string][] = [
    ['/cg2/job/memory.current', () => `${resident()}\n`],
    ['/cg2/job/memory.peak', () => `${resident()}\n`],
    ['/cg2/job/memory.swap.current', () => '0\n'],
    ['/cg2/job/memory.events', () => 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n'],
  ]
  const v1: [string, () => string][] = [
    ['/cg1/memory/job/cgroup.procs', procs],
    ['/cg1/memory/job/memory.usage_in_bytes', () => `${resident()}\n`],
    ['/cg1/memory/job/memory.max_usage_in_bytes', () => `${resident()}\n`],
    ['/cg1/memory/job/memory.stat', () => 'cache 0\ntotal_swap 0\n'],
    ['/cg1/memory/job/memory.oom_control', () => 'oom_kill_disable 0\nunder_oom 0\noom_kill 0\n'],
    ['/cg1/cpuacct/job/cpuacct.usage', () => seconds(ticks('userTicks') + ticks('systemTicks'))],
    ['/cg1/cpuacct/job/cpuacct.usage_user', () => seconds(ticks('userTicks'))],
    ['/cg1/cpuacct/job/cpuacct.usage_sys', () => seconds(ticks('systemTicks'))],
  ]
  // Of two trees side by side, a controller is in one of them only.
  if (kind === 'both') return [...v2, ...v1]
  return kind === 'v2' ? [...v2, ...v2Memory] : v1
}
