import { describe, expect, it } from 'vitest'
import { follow } from '../../test/fuzz/follow.ts'
import { makeCgroup, type CgroupKind } from '../../test/fuzz/made-cgroup.ts'
import { MadeMachine, accountOf } from '../../test/fuzz/made-machine.ts'

/** A job whose main process ends after a second while another works on for 50 ms, and then ends or is left behind. */
function outlivedJob(kind: CgroupKind, ends: boolean) {
  const machine = new MadeMachine()
  const cgroup = makeCgroup(machine, kind, () => [...machine.processes.keys()])
  const { meter, job, root, samples } = follow(machine, { cgroup })
  const daemon = machine.start(root.pid)
  daemon.work(30)
  machine.system.advance(1)
  machine.exit(root)
  job.lookAtEnded(root.pid, null)
  root.state = 'gone'
  job.retire(root.pid, accountOf(root))
  meter.refresh(job, true)
  job.outlived()
  daemon.work(5)
  machine.system.advance(0.05)
  meter.refresh(job)
  if (ends) machine.reapOrphan(daemon)
  return { usage: meter.finish(job, 1), samples, taken: job.samplesTaken }
}

describe.each(['none', 'v2'] as const)(
  'a process that outlives the main one (cgroup: %s)',
  (kind) => {
    it('counts until the end of the main one if it is left behind', () => {
      const { usage, samples, taken } = outlivedJob(kind, false)
      expect(usage.cpuTotalSeconds).toEqual({
        value: expect.closeTo(0.3, 2),
        basis: expect.stringMatching(/; until its main process ended$/),
      })
      expect(usage.cpuPercentMean).toMatchObject({ value: expect.closeTo(30, 0) })
      expect(samples.at(-1)?.elapsed_seconds).toBeCloseTo(1)
      expect(taken).toBe(samples.length)
    })

    it('counts wholly if it was about to end', () => {
      const { usage, samples } = outlivedJob(kind, true)
      expect(usage.cpuTotalSeconds).toEqual({
        value: expect.closeTo(0.35, 2),
        basis: expect.not.stringContaining('until'),
      })
      expect(samples.at(-1)?.cpu_user_seconds).toBeCloseTo(0.35, 2)
    })
  },
)
