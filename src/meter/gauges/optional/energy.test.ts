import { describe, expect, it } from 'vitest'
import { oneSocket } from '../../../../test/fixtures/powercap/trees.ts'
import { nameSamples } from '../../../../test/fuzz/follow.ts'
import { MadeMachine } from '../../../../test/fuzz/made-machine.ts'
import type { DeviceRows } from '../../../model/series.ts'
import { furtherFigures } from '../../../model/usage.ts'
import { Meter } from '../../meter.ts'
import { chosenGauges } from '../chosen.ts'
import { EnergyShare } from './energy/energy-share.ts'

describe('the share of a job', () => {
  it('follows its CPU time, step by step', () => {
    const share = new EnergyShare(1000)
    // Alone on the machine, which used 30 J.
    share.look(30, 2, 1002)
    expect(share.joules).toBeCloseTo(30)
    // Then a quarter of what ran, while 40 J more were used.
    share.look(70, 3, 1006)
    expect(share.joules).toBeCloseTo(40)
    // Then nothing.
    share.look(100, 3, 1010)
    expect(share.joules).toBeCloseTo(40)
  })

  it('waits for more than a few ticks, and takes what is left in the end', () => {
    const share = new EnergyShare(1000)
    share.look(1, 0.02, 1000.04)
    expect(share.joules).toBeNaN()
    share.settle()
    expect(share.joules).toBeCloseTo(0.5)
  })

  it('is not known where the machine was never seen busy', () => {
    const share = new EnergyShare(1000)
    share.look(1, 0.002, 1000)
    share.settle()
    expect(share.joules).toBeNaN()
  })

  it('is never more than there was, whatever ticks make of it', () => {
    const share = new EnergyShare(0)
    share.look(10, 1.05, 1)
    expect(share.joules).toBe(10)
  })
})

describe('measuring energy', () => {
  const run = async (files: Readonly<Record<string, string>>, ticksPerSecond = 50) => {
    const machine = new MadeMachine()
    const { system } = machine
    let microjoules = 40_000_000
    for (const [path, text] of Object.entries(files))
      system.tree.set(path, path.endsWith('energy_uj') ? () => `${microjoules}\n` : text)
    const meter = new Meter(system, await chosenGauges(system, ['cpu', 'energy']))
    const root = machine.start()
    const devices: string[] = []
    const job = meter.follow({
      rootPid: root.pid,
      intervalSeconds: 1,
      mark: null,
      cgroup: null,
      origin: 'launched',
      launcherBytes: 0,
      onSamples: nameSamples,
      onDevices: (rows: readonly DeviceRows[]) =>
        devices.push(...rows.map(({ kind, id }) => `${kind} ${id}`)),
    })
    for (let second = 1; second <= 4; second++) {
      root.work(ticksPerSecond)
      microjoules += 25_000_000
      system.advance(1)
    }
    const usage = meter.finish(job, 4)
    return { devices, figures: Object.fromEntries(furtherFigures(usage)) }
  }

  it('tells the energy of the machine and the share of the job, with their bases', async () => {
    const { figures, devices } = await run(oneSocket)
    expect(figures['machineEnergyJoules']).toMatchObject({
      value: 100,
      basis: expect.stringMatching(/^RAPL energy counters of package-0/),
    })
    expect(figures['energyJoules']).toMatchObject({
      basis: expect.stringContaining('shared by the CPU time'),
    })
    expect(devices).toContain('energy package-0')
  })

  it('is null of a job that was over before the machine was seen busy', async () => {
    const { figures } = await run(oneSocket, 0)
    expect(figures['energyJoules']).toEqual({
      value: null,
      why: 'the kernel counted no busy time of the machine, by which its energy is shared',
    })
  })

  it('is null with the reason on a machine without a counter', async () => {
    const machine = await run({})
    expect(machine.figures['energyJoules']).toMatchObject({
      value: null,
      why: expect.stringContaining('no energy counters'),
    })
    expect(machine.devices).toEqual([])
  })
})
