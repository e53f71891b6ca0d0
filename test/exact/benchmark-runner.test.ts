import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BenchmarkRunner } from '../../src/index.ts'
import { sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'

const library = join(repository, 'dist/index.js')

describe('BenchmarkRunner', () => {
  it('runs what the documentation shows', async () => {
    using box = sandbox()
    const runner = new BenchmarkRunner({
      ledger: box.db,
      benchmarks: {
        fenicsx: ['sh', '-c', 'test "$CUDA_VISIBLE_DEVICES" = "" && test {device} = cpu'],
      },
    })
    const result = await runner.runBenchmark('fenicsx', { device: 'cpu', runs: 3 })
    const lines: string[] = []
    for (const run of result.runs) {
      const profile = run.detailed_profile
      lines.push(`Run ${run.run_number}:`)
      lines.push(`  CPU mean: ${profile?.cpu.mean_percent ?? 0}%`)
      lines.push(`  Memory peak: ${profile?.memory.max_used_mb ?? 0} MB`)
    }
    expect(lines).toHaveLength(9)
    expect(lines[0]).toBe('Run 1:')
    expect(lines[2]).toMatch(/^ {2}Memory peak: \d/)
    expect(result).toMatchObject({ name: 'fenicsx', finished: true, runs_failed: 0 })
    expect(result.runs[0]).toMatchObject({ params: { device: 'cpu' }, status: 'success' })
    expect(result.runs[0]?.detailed_profile).toMatchObject({ sampling_interval_seconds: 1 })
    // By its name alone, from the ledger.
    const again = await new BenchmarkRunner({ ledger: box.db }).runBenchmark('fenicsx', {
      device: 'cpu',
      runs: 1,
      warmup: 0,
    })
    expect(again).toMatchObject({ benchmark_id: 2, runs_failed: 0 })
  })

  it('says what is wrong with what it was given, and stops when it is told to', async () => {
    using box = sandbox()
    const runner = new BenchmarkRunner({ ledger: box.db })
    await expect(runner.runBenchmark('nothing')).rejects.toThrow('no benchmark is called "nothing"')
    await expect(runner.runBenchmark(['true'], { runs: 0 })).rejects.toThrow('runs is 0')
    await expect(runner.runBenchmark([])).rejects.toThrow('the command has no words')
    for (const [matrix, message] of [
      [{ cpus: [1, 1] }, 'cpus has the same value twice'],
      [{ cpus: [] }, 'cpus has no values'],
      [{ 'a b': [1] }, '"a b" cannot name a matrix parameter'],
      [{ a: Array.from({ length: 1001 }, (_, index) => index) }, '1001 cells'],
    ] as const)
      await expect(runner.runBenchmark(['true'], { matrix })).rejects.toThrow(message)
    expect(await runner.list()).toEqual([])
    const patience = new AbortController()
    const seen: number[] = []
    const result = await runner.runBenchmark(['true'], {
      runs: 9,
      warmup: 0,
      signal: patience.signal,
      onRun: ({ run_number: run }) => {
        seen.push(run)
        if (run === 2) patience.abort()
      },
    })
    expect(seen).toEqual([1, 2])
    expect(result).toMatchObject({ finished: false, runs_counted: 2 })
  })

  it('reads baselines back, and says whether one was missed', async () => {
    using box = sandbox()
    const runner = new BenchmarkRunner({ ledger: box.db })
    const options = { name: 'wait', runs: 4, warmup: 0 }
    expect(await runner.list()).toEqual([])
    await expect(runner.report()).rejects.toThrow('no benchmark is recorded yet')
    const fast = await runner.runBenchmark(['sleep', '0.02'], { ...options, saveBaseline: 'v1' })
    const slow = await runner.runBenchmark(['sleep', '0.2'], options)

    expect(await runner.report('v1')).toEqual(fast)
    expect(await runner.report()).toEqual(slow)
    expect(await runner.list()).toMatchObject([
      { benchmark_id: slow.benchmark_id, baselines: [], runs_made: 4 },
      { benchmark_id: fast.benchmark_id, baselines: ['v1'], finished: true },
    ])
    const worse = await runner.compare('v1', slow.benchmark_id)
    expect(worse.verdicts.duration_seconds).toBe('regression')
    expect(worse).toMatchObject({ a: { name: 'wait', runs: 4 }, allowed_percent: 0 })
    const better = await runner.compare(slow.benchmark_id, 'v1')
    expect(better.verdicts.duration_seconds).toBe('none')
    const allowed = await runner.compare('v1', 'last', { allow: 5000 })
    expect(allowed).toMatchObject({ allowed_percent: 5000, verdicts: { duration_seconds: 'none' } })
    const { stdout } = await box.jobmeter([
      'benchmark',
      'compare',
      'v1',
      'last',
      '--format',
      'json',
    ])
    expect(JSON.parse(stdout)).toEqual(worse)
  })

  it('calls too few runs what they are, and refuses what cannot be compared', async () => {
    using box = sandbox()
    const runner = new BenchmarkRunner({ ledger: box.db })
    await runner.runBenchmark(['true'], { runs: 1, warmup: 0, saveBaseline: 'once' })
    const { verdicts } = await runner.compare('once', 'last')
    expect(verdicts.duration_seconds).toBe('cannot-judge')
    await expect(runner.compare('once', 'onces')).rejects.toThrow('Did you mean once?')
    await expect(runner.compare('once', 'last', { allow: -1 })).rejects.toThrow(
      'allow is -1; it is a percentage from 0 on',
    )
  })

  it('listens to children once, however many benchmarks a program runs', async () => {
    using box = sandbox()
    const runner = new BenchmarkRunner({ ledger: box.db })
    await runner.runBenchmark(['true'], { runs: 1, warmup: 0 })
    const listeners = process.listenerCount('SIGCHLD')
    for (let made = 0; made < 3; made += 1)
      await runner.runBenchmark(['true'], { runs: 1, warmup: 0 })
    expect(process.listenerCount('SIGCHLD')).toBe(listeners)
  })

  it('keeps a program alive that does nothing but wait for it', async () => {
    using box = sandbox()
    const code = `
      import { BenchmarkRunner } from ${JSON.stringify(library)}
      const runner = new BenchmarkRunner({ ledger: ${JSON.stringify(box.db)} })
      for (const name of ['one', 'two']) {
        const { runs } = await runner.runBenchmark(['sleep', '0.2'], { name, runs: 2, warmup: 0 })
        console.log(name, runs.map(({ status }) => status).join(' '))
      }`
    writeFileSync(box.path('program.mjs'), code)
    expect(await box.shell(`'${process.execPath}' program.mjs`)).toMatchObject({
      code: 0,
      stdout: 'one success success\ntwo success success\n',
      stderr: '',
    })
  })
})
