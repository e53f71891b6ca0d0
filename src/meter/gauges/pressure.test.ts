import { describe, expect, it } from 'vitest'
import { follow } from '../../../test/fuzz/follow.ts'
import { MadeMachine } from '../../../test/fuzz/made-machine.ts'
import type { KernelAccount } from '../../system/system.ts'

const accountOf = (userSeconds: number): KernelAccount => ({
  source: 'wait4',
  userSeconds,
  systemSeconds: 0,
  largestProcessBytes: 0,
  minorFaults: 0,
  majorFaults: 0,
  voluntarySwitches: 0,
  involuntarySwitches: 0,
})

/** A job without a cgroup: its main thread ran and waited for so long, and its helper, which nobody waits for, ran beside it. */
function waitOf(main: { ran: number; waited: number }, helperRan: number) {
  const machine = new MadeMachine()
  const { job, root, usageNow } = follow(machine)
  const helper = machine.start(root.pid)
  machine.system.advance(1)
  root.schedstat = () => `${main.ran * 1e9} ${main.waited * 1e9} 5\n`
  root.work(main.ran * 100)
  helper.work(helperRan * 100)
  machine.system.advance(9)
  machine.exit(root)
  job.lookAtEnded(root.pid, null)
  job.retire(root.pid, accountOf(main.ran))
  return usageNow().cpuPressureSeconds
}

describe('how long a job without a cgroup waited for a core', () => {
  it('is what its only busy thread waited', () => {
    expect(waitOf({ ran: 4, waited: 2 }, 0)).toEqual({
      value: 2,
      basis: '/proc/PID/schedstat of the thread that did all of the work',
    })
  })

  it('is at least what the thread waited that did most of the work', () => {
    expect(waitOf({ ran: 4, waited: 2 }, 1)).toEqual({
      value: 2,
      basis: 'at least: /proc/PID/schedstat of the thread that did 80 % of the work',
    })
  })

  it('is not told by a thread that did half of the work, whoever waited for the rest', () => {
    expect(waitOf({ ran: 4, waited: 2 }, 4)).toMatchObject({ value: null })
  })
})
