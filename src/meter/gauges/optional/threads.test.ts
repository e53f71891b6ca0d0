import { describe, expect, it } from 'vitest'
import { MadeMachine, type MadeProcess } from '../../../../test/fuzz/made-machine.ts'
import type { Measured } from '../../../model/measured.ts'
import { furtherFigures } from '../../../model/usage.ts'
import { Meter } from '../../meter.ts'
import { chosenGauges } from '../chosen.ts'

/** A job of an idle process and one that has a busy thread beside the first, followed for two seconds. */
async function followThreads(
  meanwhile: (machine: MadeMachine, root: MadeProcess, endLoader: () => void) => void,
  durationSeconds = 2.01,
): Promise<Measured | undefined> {
  const machine = new MadeMachine()
  const { system } = machine
  const meter = new Meter(system, await chosenGauges(system, ['threads']))
  const root = machine.start()
  const loader = `/proc/${root.pid}/task/${root.pid + 1}/stat`
  const stat = (tid: number, name: string, ticks: number): string =>
    `${tid} (${name}) S 1 1 1 0 -1 0 0 0 0 0 ${ticks} 0 0 0 20 0 2 0 5 0 1${' 0'.repeat(20)}\n`
  system.tree.set(`/proc/${root.pid}/task/${root.pid}/stat`, stat(root.pid, 'main', 1))
  system.tree.set(loader, stat(root.pid + 1, 'loader', 80))
  root.threads = 2
  machine.start(root.pid)
  const job = meter.follow({
    rootPid: root.pid,
    intervalSeconds: 1,
    mark: null,
    cgroup: null,
    origin: 'launched',
    launcherBytes: 0,
    onSamples: () => {},
  })
  root.work(81)
  system.advance(1.01)
  meanwhile(machine, root, () => {
    system.tree.delete(loader)
    root.threads = 1
  })
  system.advance(1)
  return new Map(furtherFigures(meter.finish(job, durationSeconds))).get('busiestThreadPercent')
}

const until = 'thread "loader": /proc/PID/task/TID/stat until the last look at 2.0 s'
const there = { value: expect.closeTo(40, 0), basis: until }
const ended = {
  value: expect.closeTo(40, 0),
  basis: `at least: ${until}; it ended before that`,
}

describe('the busiest thread', () => {
  it('is there while its process is, even if that does nothing and is not read', async () => {
    expect(await followThreads(() => {})).toEqual(there)
  })

  it('may have rested after a last look that came long before the end', async () => {
    expect(await followThreads(() => {}, 4)).toEqual({
      value: expect.closeTo(20, 0),
      basis: `at least: ${until}`,
    })
  })

  it('is there while its process does something', async () => {
    expect(await followThreads((_machine, root) => root.work(1))).toEqual(there)
  })

  it('has ended where its process goes on without it, idle or not', async () => {
    expect(await followThreads((_machine, _root, endLoader) => endLoader())).toEqual(ended)
    expect(
      await followThreads((_machine, root, endLoader) => {
        endLoader()
        root.work(1)
      }),
    ).toEqual(ended)
  })

  it('has ended with its process, while others of the job go on', async () => {
    expect(
      await followThreads((machine, root, endLoader) => {
        endLoader()
        machine.exit(root)
      }),
    ).toEqual(ended)
  })

  it('has nothing counted that it did before it was followed, where a container tells an uptime of its own', async () => {
    const machine = new MadeMachine()
    const { system } = machine
    const root = machine.start()
    const path = `/proc/${root.pid}/task/${root.pid}/stat`
    const stat = (ticks: number): string =>
      `${root.pid} (main) S 1 1 1 0 -1 0 0 0 0 0 ${ticks} 0 0 0 20 0 1 0 9000 0 1${' 0'.repeat(20)}\n`
    system.tree.set(path, stat(5000))
    system.tree.set('/proc/uptime', '10.00 10.00\n')
    system.advance(200)
    const meter = new Meter(system, await chosenGauges(system, ['threads']))
    const job = meter.follow({
      rootPid: root.pid,
      intervalSeconds: 1,
      mark: null,
      cgroup: null,
      origin: 'running',
      launcherBytes: 0,
      onSamples: () => {},
    })
    root.work(40)
    system.tree.set(path, stat(5040))
    system.advance(1)
    root.work(40)
    system.tree.set(path, stat(5080))
    system.advance(1)
    const figure = new Map(furtherFigures(meter.finish(job, 2))).get('busiestThreadPercent')
    expect(figure?.value).toBeLessThanOrEqual(40)
    expect(figure?.value).toBeGreaterThan(0)
  })
})
