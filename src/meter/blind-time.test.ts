import { describe, expect, it } from 'vitest'
import { follow, type FollowedMachine } from '../../test/fuzz/follow.ts'
import { MadeMachine } from '../../test/fuzz/made-machine.ts'
import { cpuUnseenIn } from '../model/usage.ts'
import { BlindTime } from './blind-time.ts'

const often = { intervalSeconds: 0.3, origin: 'running' } as const

/** A machine on which to ask a process for its children is dear, and on which strangers are started all the time. */
function dearMachine() {
  const machine = new MadeMachine()
  machine.slowDown('children', 0.004)
  const passBusily = ({ root }: FollowedMachine, tenths: number): void => {
    for (let tenth = 0; tenth < tenths; tenth++) {
      root.work(1)
      machine.start(77)
      machine.system.advance(0.1)
    }
  }
  const startFour = ({ root }: FollowedMachine): void => {
    for (let count = 0; count < 4; count++) machine.start(root.pid)
  }
  return { machine, passBusily, startFour }
}

/** A job whose search has just been put off, and whose processes have become so many that all of /proc is looked through. */
function grownMeanwhile() {
  const { machine, passBusily, startFour } = dearMachine()
  const { system } = machine
  const scans = { made: 0 }
  const list = (path: string) => {
    if (path === '/proc') scans.made += 1
    return system.files.list(path)
  }
  const counted = { ...system, files: { ...system.files, list } }
  const followed = follow(machine, { ...often, system: counted })
  startFour(followed)
  passBusily(followed, 11)
  followed.root.threads = 100
  passBusily(followed, 30)
  return { machine, followed, scans }
}

const finish = ({ meter, job }: FollowedMachine) => meter.finish(job, job.elapsedSeconds())

describe('a search that was put off', () => {
  it('is made up for by one through all of /proc, and then no time goes unseen any more', () => {
    const { machine, followed } = grownMeanwhile()
    machine.system.advance(60)
    expect(cpuUnseenIn(finish(followed))).toBeLessThan(3)
  })

  it('is not made again at every look once it was made up for', () => {
    const { machine, followed, scans } = grownMeanwhile()
    machine.system.advance(3)
    scans.made = 0
    for (let tenth = 0; tenth < 100; tenth++) {
      followed.root.work(1)
      machine.system.advance(0.1)
    }
    expect(scans.made).toBe(0)
  })

  it('is no matter of a job that comes later', () => {
    const { machine, passBusily, startFour } = dearMachine()
    const first = follow(machine, { intervalSeconds: 0.3 })
    startFour(first)
    passBusily(first, 13)
    expect(finish(first).processesPeak).toMatchObject({
      basis: expect.stringMatching(/skipped for 1\.1 s$/),
    })
    machine.slowDown('nothing', 0)
    machine.system.advance(3600)
    const second = follow(machine, { meter: first.meter })
    passBusily(second, 50)
    expect(finish(second).processesPeak).toEqual({ value: 1, basis: 'most at one look' })
  })
})

describe('blind time', () => {
  it('is told at the longest and in all, of searches that were put off several times', () => {
    const blind = new BlindTime()
    for (const [begun, ended] of [
      [1, 1.5],
      [2, 2.75],
      [3, 3.25],
    ] as const) {
      blind.begin(begun)
      blind.begin(begun + 0.2)
      blind.end(ended)
      blind.end(ended + 0.1)
    }
    expect(blind.longestSeconds).toBe(0.75)
    expect(blind.inAllSeconds).toBe(1.5)
  })

  it('is also that in which looking through all of /proc was put off, where that is the cheaper way', () => {
    const machine = new MadeMachine()
    const { system } = machine
    const list = (path: string) => {
      if (path === '/proc') {
        machine.ownCpuSeconds += 0.02
        system.advance(0.02)
      }
      return system.files.list(path)
    }
    const slow = { ...system, files: { ...system.files, list } }
    const followed = follow(machine, { ...often, system: slow })
    followed.root.threads = 100
    for (let tenth = 0; tenth < 100; tenth++) {
      followed.root.work(1)
      machine.start(77)
      system.advance(0.1)
    }
    expect(cpuUnseenIn(finish(followed))).toBeGreaterThan(3)
  })
})
