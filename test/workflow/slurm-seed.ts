import { readdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { lines, onPath, results, script } from './flow.ts'
import type { SlurmStage } from './slurm-stage.ts'

/** As users of other workflow programs write it, to the letter. */
const pipeline = `name: "ML Training Pipeline"
description: "Train models with resource monitoring"
user: "researcher"

resource_monitor:
  enabled: true
  granularity: "time_series"
  sample_interval_seconds: 2
  generate_plots: false

jobs:
  - name: "preprocess_data"
    command: "python preprocess.py --input data.csv --output processed.pkl"
    resource_requirements:
      cpus: 4
      memory: "8g"
      runtime: "PT10M"

  - name: "train_model"
    command: "python train.py --data processed.pkl --model model.pkl"
    blocked_by:
      - "preprocess_data"
    resource_requirements:
      cpus: 8
      memory: "32g"
      runtime: "PT2H"

  - name: "evaluate_model"
    command: "python evaluate.py --model model.pkl --output metrics.json"
    blocked_by:
      - "train_model"
    resource_requirements:
      cpus: 2
      memory: "4g"
      runtime: "PT5M"
`

/** Reads what comes after the first option, and writes what comes after the second. */
const python = `echo "$1 $SLURM_JOB_ID $SLURM_CPUS_ON_NODE" >> ran; sleep 0.3; cp "$3" "$5"`

/** Every field that has to do with a cluster, and one of each that has not. */
const everyField = `name: every field
user: researcher
description: all that a file may say of a cluster
project: physics
metadata: '{"grant": 7}'
env: { LEVEL: "3" }
jobs_sort_method: gpus_runtime_memory
parameters: { seed: "1:2", rate: "[0.1, 0.5]" }
resource_monitor:
  enabled: true
  granularity: summary
  sample_interval_seconds: 1
  metrics: [cpu, memory, threads]
slurm_defaults: { qos: normal, comment: of everyField }
slurm_schedulers:
  - name: pair
    account: physics
    partition: far
    nodes: 2
    walltime: "00:10:00"
    mem: 2g
    gres: "gpu:2"
    qos: normal
    ntasks_per_node: 2
    tmp: 10m
    extra: --job-name="of every field"
  - { name: one, account: physics, partition: main, walltime: "00:10:00", mem: 1g }
resource_requirements:
  - { name: small, num_cpus: 1, memory: 100m, runtime: PT2M, num_nodes: 1 }
  - { name: card, num_cpus: 1, memory: 100m, runtime: PT2M, num_gpus: 1 }
failure_handlers:
  - { name: again, rules: [{ exit_codes: [7], max_retries: 1, recovery_script: "echo recovered >> recovered" }] }
files: [{ name: table, path: table.csv }]
user_data: [{ name: limits, data: { most: 3 } }]
actions:
  - { trigger_type: on_workflow_start, action_type: run_commands, commands: ["echo began >> actions"] }
  - { trigger_type: on_workflow_start, action_type: schedule_nodes, scheduler: pair, scheduler_type: slurm, num_allocations: 1, persistent: true }
  - { trigger_type: on_jobs_ready, job_name_regexes: ["^gather$"], action_type: schedule_nodes, scheduler: one, scheduler_type: slurm }
  - { trigger_type: on_workflow_complete, action_type: run_commands, commands: ["echo complete >> actions"] }
jobs:
  - name: "train_{seed}_{rate:.2f}"
    command: 'echo "$LEVEL $SLURMD_NODENAME:$CUDA_VISIBLE_DEVICES" >> trained; until [ $(wc -l < trained) -ge 4 ]; do sleep 0.05; done'
    use_parameters: [seed, rate]
    parameter_mode: product
    resource_requirements: card
    scheduler: pair
  - name: flaky
    invocation_script: env
    command: "sh -c '[ $JOBMETER_ATTEMPT = 2 ] || exit 7'"
    resource_requirements: small
    failure_handler: again
    scheduler: pair
    priority: 5
  - name: gather
    command: 'echo "$SLURMD_NODENAME" > \${files.output.table}'
    depends_on_regexes: ["^train_"]
    depends_on: [flaky]
    resource_requirements: small
    scheduler: one
  - name: read
    command: "cat \${files.input.table} > read; echo '\${user_data.input.limits}' >> read"
    resource_requirements: small
    scheduler: one
    cancel_on_blocking_job_failure: true
    supports_termination: true
`

/** Workflows as they stand in files of users, with nothing replaced but the programs that they start. */
export function seedTests(stage: SlurmStage): void {
  it.concurrent('of a user of another program runs as it stands, with all it was asked for', async () => {
    using box = sandbox()
    writeFileSync(box.path('ml_pipeline.yaml'), pipeline)
    writeFileSync(box.path('data.csv'), '1,2\n')
    script(box, 'python', python)
    const options = stage.onIt(onPath(box))
    const say = async (...words: readonly string[]): Promise<string> => {
      const ended = await box.jobmeter(words, options)
      expect(ended.code, `${words.join(' ')}: ${ended.stderr}`).toBe(0)
      return ended.stdout
    }
    await say('workflows', 'create-from-spec', 'ml_pipeline.yaml')
    await say('run-jobs', '1', '--executor', 'slurm', '--slurm-poll', '1s')
    const ran = lines(box.path('ran')).map((line) => line.split(' '))
    expect(ran.map(([program, , cpus]) => [program, cpus])).toEqual([
      ['preprocess.py', '4'],
      ['train.py', '8'],
      ['evaluate.py', '2'],
    ])
    expect(lines(box.path('metrics.json'))).toEqual(['1,2'])
    // What Slurm was asked for. The accounting is told of the last one a moment after it has ended.
    const asked = () =>
      ran.map(([, id = '']) =>
        stage.slurm.call('sacct', '-nXPj', id, '-o', 'JobName,ReqCPUS,ReqMem,Timelimit'),
      )
    const wanted = [
      'preprocess_data|4|8G|00:10:00',
      'train_model|8|32G|02:00:00',
      'evaluate_model|2|4G|00:05:00',
    ]
    await stage.slurm.until('the accounting', () => asked().join() === wanted.join())
    expect(await results(box)).toMatchObject([
      { job_name: 'preprocess_data', status: 'success', cpu_seconds: expect.any(Number) as number },
      { job_name: 'train_model', status: 'success' },
      { job_name: 'evaluate_model', status: 'success' },
    ])
    const report = await say('reports', 'check-resource-utilization', '1', '--all')
    expect(report).toMatch(/train_model .*32\.00 GB/)
    const folder = box.path('output/resource_utilization')
    const [series = ''] = readdirSync(folder).filter((name) => name.endsWith('.db'))
    await say('plot-resources', `${folder}/${series}`, '-o', 'plots/ml_pipeline')
    expect(readdirSync(box.path('plots/ml_pipeline'))).toContain('resource_plot_cpu_all_jobs.html')
  })

  it.concurrent.for(['workers', 'jobs'])('may say all that a file can, by %s', async (way) => {
    using box = sandbox()
    writeFileSync(box.path('every.yaml'), everyField)
    const ran = await stage.run(box, ['every.yaml', '--slurm-by', way])
    expect(ran.code, ran.stderr).toBe(0)
    expect(lines(box.path('actions'))).toEqual(['began', 'complete'])
    expect(lines(box.path('recovered'))).toEqual(['recovered'])
    // Four cards of two nodes, each had by one job while all four ran.
    expect(lines(box.path('trained')).toSorted()).toEqual(
      ['far1:0', 'far1:1', 'far2:0', 'far2:1'].map((card) => `3 ${card}`),
    )
    const [node, limits] = lines(box.path('read'))
    expect(node).not.toMatch(/^far/)
    expect(JSON.parse(limits ?? '')).toEqual({ most: 3 })
    const told = await results(box, '--all-runs')
    expect(
      told.map(({ job_name: name, attempt, status }) => `${name} ${attempt} ${status}`),
    ).toEqual(
      expect.arrayContaining(['flaky 1 failed', 'flaky 2 success', 'train_2_0.50 1 success']),
    )
    const [record] = await box.history()
    expect(record?.usage).toHaveProperty('busiest_thread_percent')
    expect(record).toHaveProperty('unmeasured.read_bytes', 'not asked for (--metrics)')
  })
}
