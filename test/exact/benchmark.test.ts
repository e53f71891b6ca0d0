import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { BenchmarkJson } from '../../src/render/benchmark/json.ts'
import { sandbox, type Sandbox } from '../program.ts'

const benchmark = (box: Sandbox, ...argv: string[]) => box.jobmeter(['benchmark', ...argv])

async function report(box: Sandbox, name: string): Promise<BenchmarkJson> {
  const { stdout } = await benchmark(box, 'report', name, '--format', 'json')
  return JSON.parse(stdout) as BenchmarkJson
}

describe('jobmeter benchmark', () => {
  it('runs every cell in turn, with its values in the command and the environment', async () => {
    using box = sandbox()
    const command = ['sh', '-c', 'echo "{cpus} $cpus {size} $size {other}" >> said']
    const options = ['--runs', '2', '--warmup', '1', '--matrix', 'cpus=1,2', '--matrix', 'size=s,m']
    const { code, stdout, stderr } = await benchmark(
      box,
      'run',
      '--name',
      'say',
      '--param',
      'mesh=64',
      ...options,
      '--',
      ...command,
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const said = readFileSync(box.path('said'), 'utf8').trim().split('\n')
    const forth = ['1 1 s s {other}', '1 1 m m {other}', '2 2 s s {other}', '2 2 m m {other}']
    expect(said).toEqual([...forth, ...forth, ...forth.toReversed()])
    expect(stdout).toContain('Speed-up')
    expect(stderr.match(/^\[\d+\/12\]/gm)).toHaveLength(12)

    const found = await report(box, 'say')
    expect(found).toMatchObject({
      benchmark_id: 1,
      finished: true,
      runs_counted: 8,
      runs_failed: 0,
    })
    expect(found.warmup_runs).toHaveLength(4)
    expect(found.runs[0]).toMatchObject({
      run_number: 1,
      cell: { cpus: '1', size: 's' },
      name: 'say',
      params: { mesh: 64, cpus: 1, size: 's' },
      requirements: { cpus: 1 },
      tags: ['benchmark', 'benchmark:say'],
      status: 'success',
    })
    expect(found.runs[0]?.detailed_profile).toMatchObject({ sampling_interval_seconds: 1 })
    expect(found.speed_ups[3]).toMatchObject({
      against: { cpus: '1', size: 'm' },
      times_the_workers: 2,
    })
  })

  it('tells failed runs, averages none of them in, and exits with 3', async () => {
    using box = sandbox()
    const flaky =
      'n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; [ $n -ne 2 ] || { sleep 2; exit 5; }'
    const { code, stdout } = await benchmark(
      box,
      'run',
      '--runs',
      '4',
      '--warmup',
      '1',
      '--save-baseline',
      'v1',
      '--',
      'sh',
      '-c',
      flaky,
    )
    expect(code).toBe(3)
    expect(stdout).toMatch(
      /Run 2 did not\s+succeed and is not in these figures: exited\s+with code 5/,
    )
    const found = await report(box, 'last')
    expect(found.cells[0]).toMatchObject({ runs: 3, failed_runs: [2] })
    expect(found.cells[0]?.metrics.duration_seconds?.max).toBeLessThan(2)
    // What has failed is nothing to be compared with.
    expect((await benchmark(box, 'report', 'v1')).stderr).toContain(
      'no benchmark or baseline is called "v1"',
    )
  })

  it('ends at once where the command cannot be run at all', async () => {
    using box = sandbox()
    const { code, stdout } = await benchmark(box, 'run', '--runs', '50', '--', './no-such-program')
    expect(code).toBe(3)
    expect(stdout).toContain('It was not finished: 0 of 50 runs')
    expect((await box.history()).length).toBe(1)
  })

  it('finds a real regression against a saved baseline, and no false one', async () => {
    using box = sandbox()
    const work = (steps: number) => [
      'sh',
      '-c',
      `i=0; while [ $i -lt ${steps} ]; do i=$((i+1)); done`,
    ]
    const judged = ['--metric', 'cpu', '--fail-on-regression']
    await benchmark(
      box,
      'run',
      '--runs',
      '6',
      '--name',
      'spin',
      '--save-baseline',
      'v1',
      '--',
      ...work(20_000),
    )
    const slower = await benchmark(
      box,
      'run',
      '--runs',
      '6',
      '--name',
      'spin',
      '--against',
      'v1',
      ...judged,
      '--',
      ...work(80_000),
    )
    expect(slower.code).toBe(1)
    expect(slower.stdout).toContain('worse, more than noise')
    expect(slower.stderr).toContain('cpu is worse, by more than noise')
    // Four times the work is within what is allowed.
    expect((await benchmark(box, 'compare', 'v1', 'last', ...judged, '--allow', '900')).code).toBe(
      0,
    )
    expect((await benchmark(box, 'compare', 'last', 'v1', ...judged)).code).toBe(0)
    expect((await benchmark(box, 'compare', 'v1', 'v1', ...judged)).code).toBe(0)
    const few = await benchmark(
      box,
      'run',
      '--runs',
      '1',
      '--name',
      'spin',
      '--against',
      'v1',
      ...judged,
      '--',
      ...work(20_000),
    )
    expect(few.code).toBe(2)
    expect(few.stderr).toContain('cpu cannot be judged')
    // A baseline outlives pruning; other benchmarks go with their runs.
    expect((await box.jobmeter(['prune', '--older-than', '0s'])).code).toBe(0)
    expect((await report(box, 'v1')).runs_counted).toBe(6)
    const { stdout } = await benchmark(box, 'list', '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject([
      { benchmark_id: 1, baselines: ['v1'], finished: true },
    ])
  })

  it.each([
    ['SIGKILL', null],
    ['SIGINT', 130],
  ] as const)('leaves the runs that were made readable: %s', async (signal, code) => {
    using box = sandbox()
    // The third run never ends by itself.
    const slowThird =
      'n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; [ $n -lt 2 ] || { echo "slow $$."; exec sleep 30; }'
    const options = ['--runs', '5', '--warmup', '0', '--name', 'cut', '--show-output']
    const running = box.start(['benchmark', 'run', ...options, '--', 'sh', '-c', slowThird])
    const slow = Number(/slow (\d+)\./.exec(await running.saw('.\n'))?.[1])
    running.signal(signal)
    const ended = await running.ended
    expect(ended.code).toBe(code)
    const found = await report(box, 'cut')
    expect(found).toMatchObject({ finished: false, runs_counted: 2, runs_planned: 5 })
    expect((await benchmark(box, 'report')).stdout).toContain('It was not finished: 2 of 5 runs')
    // Who is killed cannot end what it runs.
    if (signal === 'SIGKILL') process.kill(slow, 'SIGKILL')
  })

  it('writes pages and Markdown that hold no markup of a command', async () => {
    using box = sandbox()
    const name = '<script>alert(1)</script>|x'
    await benchmark(box, 'run', '--runs', '2', '--name', name, '--', 'true', '<b>&|')
    const page = await benchmark(
      box,
      'report',
      '--format',
      'html',
      '--against',
      'last',
      '-o',
      'page.html',
    )
    expect(page).toMatchObject({ code: 0, stdout: '', stderr: 'wrote page.html\n' })
    const html = readFileSync(box.path('page.html'), 'utf8')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;|x')
    expect(html).not.toContain('<script')
    expect(html.match(/<circle/g)).toHaveLength(2)
    const { stdout } = await benchmark(box, 'report', '--format', 'markdown')
    expect(stdout).toContain(String.raw`\<script\>alert(1)\</script\>\|x`)
  })

  it('hides the GPUs from a command whose device is cpu, and records the device', async () => {
    using box = sandbox()
    const env = { CUDA_VISIBLE_DEVICES: '3' }
    const say = 'echo "{device} $JOBMETER_DEVICE [$CUDA_VISIBLE_DEVICES]" >> said'
    for (const device of ['cpu', 'cuda'])
      await box.jobmeter(
        [
          'benchmark',
          'run',
          '--runs',
          '1',
          '--warmup',
          '0',
          '--device',
          device,
          '--',
          'sh',
          '-c',
          say,
        ],
        { env },
      )
    expect(readFileSync(box.path('said'), 'utf8')).toBe('cpu cpu []\ncuda cuda [3]\n')
    const { runs } = await report(box, 'last')
    expect(runs[0]).toMatchObject({ params: { device: 'cuda' } })
  })

  it.each([
    [['--matrix', 'cpus'], '--matrix "cpus" is not NAME=VALUE,VALUE. Example: cpus=1,2,4'],
    [['--matrix', 'cpus=1,,2'], 'is not NAME=VALUE,VALUE'],
    [['--matrix', 'cpus=1,1'], 'has the same value twice'],
    [['--matrix', 'a=1', '--matrix', 'a=2'], 'names a parameter twice'],
    [
      ['--matrix', `a=${Array.from({ length: 1001 }, (_, index) => index).join(',')}`],
      '1001 cells',
    ],
    [['--runs', '0'], '--runs'],
  ])('refuses a matrix or number that makes no sense (case %#)', async (options, message) => {
    using box = sandbox()
    const { code, stderr } = await benchmark(box, 'run', ...options, '--', 'touch', 'ran')
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(existsSync(box.path('ran'))).toBe(false)
  })

  it('draws its progress on a terminal and leaves a line for each run', async () => {
    using box = sandbox()
    const { stdout } = await box.terminal(
      'TERM=xterm $JOBMETER benchmark run --runs 2 -- sleep 0.01',
    ).ended
    expect(stdout).toContain('[2/3] run 1')
    expect(stdout).toContain('\r\u001b[K')
  })
})
