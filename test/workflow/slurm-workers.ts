import { it } from 'vitest'
import { sandbox, workload, type Sandbox } from '../program.ts'
import { flow, lines, states, until } from './flow.ts'
import { fileOf, type SlurmStage } from './slurm-stage.ts'

/** What becomes of jobs that wait for workers when their runner is killed. */
export function workerTests(stage: SlurmStage): void {
  /** Jobs that an allocation runs one after the other; answers the sandbox when two have begun and the runner is dead. */
  const killedRunner = async (
    box: Sandbox,
    name: string,
    { handler = '', words = [] }: { handler?: string; words?: readonly string[] } = {},
  ): Promise<void> => {
    const spec = flow(
      box,
      `slurm_schedulers: [{ name: short, walltime: "00:05:00", mem: 100m, extra: --job-name=${name} }]
failure_handlers: [{ name: again, rules: [{ match_all_exit_codes: true, max_retries: 1 }] }]
jobs:
  - { name: "j{i}", command: "echo {i} $SLURM_JOB_ID >> ran; sleep 1; echo {i} >> done", parameters: { i: "1:5" }, ${handler} resource_requirements: { num_cpus: 1, memory: 60m, runtime: PT1M } }
`,
    )
    const asked = [spec, '--slurm-by', 'workers', ...words]
    const first = box.start(stage.words(...asked), stage.onIt())
    await until(() => (fileOf(box, 'ran') ?? '').split('\n').length > 2)
    process.kill(first.pid, 'SIGKILL')
    await first.ended
  }
  const allDone = { j1: 'success', j2: 'success', j3: 'success', j4: 'success', j5: 'success' }
  const resume = (box: Sandbox, ...words: readonly string[]) =>
    box.jobmeter(['run', '--resume', '1', '--slurm-poll', '1s', ...words], stage.onIt())

  it.concurrent('has jobs that no worker took run after their runner and their allocation were killed', async ({
    expect,
  }) => {
    using box = sandbox()
    await killedRunner(box, 'left-dead', {
      // The one that ran is cancelled with its allocation.
      handler: 'failure_handler: again,',
      words: ['--output-dir', box.path('shared')],
    })
    stage.slurm.call('scancel', '--name', 'left-dead')
    const resumed = await resume(box)
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(await states(box)).toEqual(allDone)
    const [first, last] = [lines(box.path('ran'))[0], lines(box.path('ran')).at(-1)]
    expect(last?.split(' ')[1]).not.toBe(first?.split(' ')[1])
    expect(fileOf(box, 'output/attempts')).toBeNull()
  })

  it.concurrent('goes on in the allocation that a killed runner has left', async ({ expect }) => {
    using box = sandbox()
    await killedRunner(box, 'left-alive')
    const resumed = await resume(box)
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(await states(box)).toEqual(allDone)
    const ran = lines(box.path('ran')).map((line) => line.split(' '))
    expect(ran.map(([job = '']) => job).toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect(new Set(ran.map(([, allocation]) => allocation)).size).toBe(1)
  })

  it.concurrent('has jobs that no worker took run elsewhere, each once, in another folder', async ({
    expect,
  }) => {
    using box = sandbox()
    await killedRunner(box, 'left-there')
    const resumed = await resume(box, '--output-dir', box.path('other'))
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(await states(box)).toEqual(allDone)
    expect(lines(box.path('done')).toSorted()).toEqual(['1', '2', '3', '4', '5'])
  })

  it.concurrent('asks for the memory of the largest job where its scheduler does not say', async ({
    expect,
  }) => {
    using box = sandbox()
    const spec = flow(
      box,
      `slurm_schedulers: [{ name: short, walltime: "00:05:00" }]
jobs:
  - { name: small, command: "true", resource_requirements: { num_cpus: 1, memory: 50m } }
  - { name: large, command: "echo $SLURM_MEM_PER_NODE > mem", resource_requirements: { num_cpus: 1, memory: 600m } }
`,
    )
    const ran = await stage.run(box, [spec, '--slurm-by', 'workers'])
    expect(ran.code, ran.stderr).toBe(0)
    expect(fileOf(box, 'mem')).toBe('600\n')
  })

  it.concurrent('holds jobs in one allocation to the memory that each asked for', async ({
    expect,
  }) => {
    using box = sandbox()
    const spec = flow(
      box,
      `slurm_schedulers: [{ name: roomy, walltime: "00:05:00", mem: 1g }]
jobs:
  - { name: greedy, command: "${workload('hog')} 400 20000", resource_requirements: { num_cpus: 1, memory: 100m } }
  - { name: fair, command: "${workload('hog')} 400 500", resource_requirements: { num_cpus: 1, memory: 600m } }
`,
    )
    const ran = await stage.run(box, [spec, '--slurm-by', 'workers'])
    expect(await states(box), ran.stderr).toEqual({ greedy: 'failed', fair: 'success' })
    expect(ran.stderr).toMatch(/greedy failed in .*: out of memory: .*its limit of 100/)
  })
}
