import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { burnCpu } from '../../test/profile/burn-cpu.ts'
import { realSystem } from '../system/real.ts'
import { LiveMeter, type LiveSample, type LiveSummary } from './live-meter.ts'

/** The kernel's own count of a process's pages, with those that are shared divided by their users. */
function sharedOnceMb(pid: number): number {
  const [, kibibytes] =
    /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}

const figure = (sample: LiveSample | undefined, name: string): number =>
  sample?.metrics[name] ?? Number.NaN

describe('a meter of this very process', () => {
  it('tells the CPU time that it burns, to the tick', () => {
    const meter = LiveMeter.start({ intervalSeconds: Infinity })
    burnCpu(0.5)
    const sample = meter.look()
    const usage = meter.stop().usage
    const told = figure(sample, 'cpu_process_percent') * sample.elapsedSeconds
    expect(told).toBeGreaterThan(40)
    expect(told).toBeLessThan(60)
    expect(usage.cpuTotalSeconds.value).toBeGreaterThan(0.46)
    expect(usage.cpuTotalSeconds.value).toBeLessThan(0.6)
    expect(figure(sample, 'cpu_percent')).toBeGreaterThan(0)
    expect(figure(sample, 'cpu_percent')).toBeLessThanOrEqual(100)
  })

  it('tells the memory that it takes and gives back, and the machine’s', () => {
    const meter = LiveMeter.start({ intervalSeconds: Infinity, metrics: ['memory'] })
    const before = meter.look()
    const held = Buffer.alloc(200 * 2 ** 20, 1)
    const during = meter.look()
    expect(held.length).toBe(200 * 2 ** 20)
    const grown = figure(during, 'memory_process_mb') - figure(before, 'memory_process_mb')
    expect(grown).toBeGreaterThan(190)
    expect(grown).toBeLessThan(230)
    const system = figure(during, 'memory_system_mb')
    const used = system - figure(during, 'memory_available_mb')
    expect((100 * used) / system).toBeCloseTo(figure(during, 'memory_percent'), 6)
    expect(Object.keys(during.metrics).every((name) => name.startsWith('memory_'))).toBe(true)
    expect(during.unavailable).toEqual({})
    meter.stop()
  })

  it('takes no peak of the time before it was started for its own', () => {
    const script = `
      Buffer.alloc(300 * 2 ** 20, 1)
      gc()
      const { LiveMeter } = await import(process.argv[1])
      const meter = LiveMeter.start({ metrics: ['memory'] })
      const { usage } = meter.stop()
      process.stdout.write(String(usage.memoryPeakBytes.value / 2 ** 20))`
    const url = new URL('./live-meter.ts', import.meta.url)
    const peakMb = Number(
      execFileSync(process.execPath, [
        '--expose-gc',
        '--input-type=module',
        '-e',
        script,
        url.href,
      ]),
    )
    expect(peakMb).toBeGreaterThan(30)
    expect(peakMb).toBeLessThan(250)
  })

  it('tells the bytes that it writes to a disk, since its last look and a second', () => {
    const directory = mkdtempSync(join(tmpdir(), 'jobmeter-live-'))
    const meter = LiveMeter.start({ intervalSeconds: Infinity, metrics: ['io'] })
    const written = 32 * 2 ** 20
    const file = openSync(join(directory, 'written'), 'w')
    writeSync(file, Buffer.alloc(written, 1))
    fsyncSync(file)
    burnCpu(0.12)
    const sample = meter.look()
    const again = meter.look()
    closeSync(file)
    rmSync(directory, { recursive: true })
    expect(figure(sample, 'disk_write_mb')).toBeGreaterThanOrEqual(32)
    expect(figure(sample, 'disk_write_mb')).toBeLessThan(33)
    expect(figure(sample, 'io_write_rate_mbps') * sample.elapsedSeconds).toBeGreaterThan(31)
    // Nothing was written since; the rate is that of the last tenth of a second or more.
    expect(figure(again, 'disk_write_mb')).toBeLessThan(1)
    expect(figure(again, 'io_write_rate_mbps')).toBe(figure(sample, 'io_write_rate_mbps'))
    expect(figure(sample, 'io_wait_pct')).toBeGreaterThanOrEqual(0)
    expect(figure(sample, 'io_wait_pct')).toBeLessThanOrEqual(100)
    expect(sample.basis['io_wait_pct']).toMatch(/delay accounting|whole machine/)
    expect(meter.stop().usage.writeBytes.value).toBeGreaterThanOrEqual(written)
  })

  it('counts what its children do, while they run and when they have ended', async () => {
    const script = `
      const held = Buffer.alloc(100 * 2 ** 20, 1)
      const used = (since) => Object.values(process.cpuUsage(since)).reduce((a, b) => a + b) / 1e6
      process.stdout.write('held')
      process.stdin.on('data', () => {
        const begun = process.cpuUsage()
        while (used(begun) < 0.4);
        process.exit(held[0] - 1)
      })`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    // What is shared is counted anew when the meter starts; later, only when more is held than ever before.
    const meter = LiveMeter.start({ intervalSeconds: Infinity, metrics: ['cpu', 'memory'] })
    const told = figure(meter.look(), 'memory_process_mb')
    const truth = sharedOnceMb(process.pid) + sharedOnceMb(child.pid ?? 0)
    expect(truth).toBeGreaterThan(100)
    expect(told / truth).toBeGreaterThan(0.97)
    expect(told / truth).toBeLessThan(1.03)
    child.stdin.end('go')
    await once(child, 'close')
    const { usage } = meter.stop()
    // All of it, though nobody looked while it ran: this process waited for it.
    expect(usage.cpuTotalSeconds.value).toBeGreaterThan(0.38)
    expect(usage.cpuTotalSeconds.value).toBeLessThan(0.8)
  })

  it('says why what it cannot tell is missing, and tells no 0 in its place', () => {
    const meter = LiveMeter.start({ intervalSeconds: Infinity })
    const { metrics, unavailable } = meter.look()
    expect(metrics).not.toHaveProperty('cpu_percent')
    expect(unavailable['cpu_percent']).toContain('rates need 0.1 s')
    expect(Object.keys(metrics).filter((name) => name in unavailable)).toEqual([])
    meter.stop()
  })

  it('refuses names and processes that there are not, at once', () => {
    expect(() => LiveMeter.start({ metrics: ['cpu_precent'] })).toThrow(/no metric "cpu_precent"/)
    expect(() => LiveMeter.start({ pid: 2 ** 22 })).toThrow(/no process 4194304/)
    expect(() => LiveMeter.start({ pid: 0 })).toThrow(/no process 0/)
    expect(() => LiveMeter.start({ intervalSeconds: 0 })).toThrow(/0.01 or more/)
  })
})

describe('a meter of another process', () => {
  it('tells what that did until it ended, and of its memory nothing after that', async () => {
    const script = `
      const used = (since) => Object.values(process.cpuUsage(since)).reduce((a, b) => a + b) / 1e6
      process.stdin.on('data', () => {
        const begun = process.cpuUsage()
        while (used(begun) < 0.5);
        process.stdout.write('done')
      })
      process.stdin.on('end', () => process.exit())
      process.stdout.write('ready')`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const meter = LiveMeter.start({ pid: child.pid ?? 0, intervalSeconds: 0.02 })
    expect(figure(meter.look(), 'memory_process_mb')).toBeGreaterThan(20)
    child.stdin.write('go')
    await once(child.stdout, 'data')
    meter.look()
    child.stdin.end()
    await once(child, 'close')
    const { metrics, unavailable } = meter.look()
    expect(metrics).not.toHaveProperty('memory_process_mb')
    expect(unavailable['memory_process_mb']).toMatch(/no process of it is left/)
    const { cpuTotalSeconds } = meter.stop().usage
    // Two ticks may be missing, and to end takes some time as well.
    expect(cpuTotalSeconds.value).toBeGreaterThan(0.48)
    expect(cpuTotalSeconds.value).toBeLessThan(0.65)
  })
})

describe('samples that come by themselves', () => {
  it('go to listeners and iterators until the end, whatever a listener throws', async () => {
    const problems: string[] = []
    const meter = LiveMeter.start({
      intervalSeconds: 0.1,
      metrics: ['cpu'],
      onProblem: (problem) => problems.push(problem),
    })
    const heard: LiveSample[] = []
    meter.onSample(() => {
      throw new Error('no')
    })
    const unlisten = meter.onSample((sample) => heard.push(sample))
    const taken: LiveSample[] = []
    for await (const sample of keptAlive(meter)) {
      taken.push(sample)
      if (taken.length === 3) meter.stop()
    }
    unlisten()
    expect(taken).toEqual(heard)
    // One more comes at the end if that is half an interval later, on a busy machine.
    const { samplesCollected } = meter.stop()
    expect(taken.length).toBe(samplesCollected)
    expect(taken.length).toBeGreaterThanOrEqual(3)
    const early = taken.filter(({ elapsedSeconds }, index) => elapsedSeconds < index * 0.1 + 0.09)
    expect(early).toEqual([])
    expect(problems).toEqual(taken.map(() => 'a listener of sample failed: Error: no'))
  })

  it('have no part in what is asked for in between', async () => {
    const meter = LiveMeter.start({ intervalSeconds: 0.1, metrics: ['cpu', 'io'] })
    const other = LiveMeter.start({ intervalSeconds: 0.1, metrics: ['memory'] })
    const iterator = keptAlive(meter)
    await iterator.next()
    burnCpu(0.2)
    const asked = meter.look()
    // The regular sample in between took nothing away from it.
    expect(figure(asked, 'cpu_process_percent') * asked.elapsedSeconds).toBeGreaterThan(17)
    await iterator.return()
    expect(other.stop().usage.memoryPeakBytes.value).toBeGreaterThan(0)
    expect(meter.stop().usage.cpuTotalSeconds.value).toBeGreaterThan(0.17)
  })

  it('may end the meter from within a listener, and look from there', async () => {
    const meter = LiveMeter.start({ intervalSeconds: 0.4, metrics: ['cpu', 'memory'] })
    const timer = setInterval(() => {}, 1000)
    const memory = await new Promise<number>((resolve) => {
      meter.onSample(() => {
        const sample = meter.look()
        meter.stop()
        resolve(figure(sample, 'memory_process_mb'))
      })
    })
    clearInterval(timer)
    expect(memory).toBeGreaterThan(0)
    expect(meter.stop().samplesCollected).toBe(1)
  })

  it('end once, though a listener of the last one ends the meter too', () => {
    const meter = LiveMeter.start({ intervalSeconds: 3600, metrics: ['cpu'] })
    const heard: LiveSummary[] = []
    meter.onSample(() => heard.push(meter.stop()))
    const summary = meter.stop()
    expect(heard).toEqual([summary])
    expect(heard[0]).toBe(summary)
    expect(summary.samplesCollected).toBe(1)
    expect(meter.stop()).toBe(summary)
  })

  it('go on after a look that failed', async () => {
    const real = realSystem({ ownsProcess: false })
    let fails = false
    const read: typeof real.files.read = (...asked) => {
      if (fails) throw new Error('no look')
      return real.files.read(...asked)
    }
    const system = { ...real, files: { ...real.files, read } }
    const meter = new LiveMeter(system, { intervalSeconds: 0.2, metrics: ['cpu', 'memory'] })
    fails = true
    expect(() => meter.look()).toThrow('no look')
    fails = false
    const sample = await new Promise<LiveSample>((resolve) => void meter.onSample(resolve))
    expect(figure(sample, 'memory_process_mb')).toBeGreaterThan(0)
    meter.stop()
  })

  it('leave nothing open behind them', () => {
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    LiveMeter.start().stop()
    const before = openFiles()
    const listeners = process.listenerCount('SIGCHLD')
    for (let round = 0; round < 50; round++) LiveMeter.start().stop()
    expect(openFiles()).toBe(before)
    expect(process.listenerCount('SIGCHLD')).toBe(listeners)
  })

  it('do not keep a program alive', async () => {
    const url = new URL('./live-meter.ts', import.meta.url)
    const script = `import { LiveMeter } from ${JSON.stringify(url.href)}
      const meter = LiveMeter.start({ intervalSeconds: 0.05 })
      meter.onSample(() => {})
      void (async () => { for await (const _ of meter); })()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

/** An iterator of samples with a timer beside it, as a program has that does something else. */
async function* keptAlive(meter: LiveMeter): AsyncGenerator<LiveSample, void, undefined> {
  const timer = setInterval(() => {}, 1000)
  try {
    yield* meter
  } finally {
    clearInterval(timer)
  }
}
