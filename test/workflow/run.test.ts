import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, lines, onPath, results, script, states, until, type RunJson } from './flow.ts'

describe('a workflow file', () => {
  it('of three jobs is run in order, with its samples in the file people know', async () => {
    using box = sandbox()
    const spec = box.path('ml_pipeline.yaml')
    writeFileSync(
      spec,
      `name: "ML Training Pipeline"
description: "Train models with resource monitoring"
user: "researcher"
resource_monitor:
  enabled: true
  granularity: "time_series"
  sample_interval_seconds: 0.05
  generate_plots: false
jobs:
  - name: "preprocess_data"
    command: "python preprocess.py --input data.csv --output processed.pkl"
    resource_requirements: { cpus: 4, memory: "8g", runtime: "PT10M" }
  - name: "train_model"
    command: "python train.py --data processed.pkl --model model.pkl"
    blocked_by: ["preprocess_data"]
    resource_requirements: { cpus: 8, memory: "32g", runtime: "PT2H" }
  - name: "evaluate_model"
    command: "python evaluate.py --model model.pkl --output metrics.json"
    blocked_by: ["train_model"]
    resource_requirements: { cpus: 2, memory: "4g", runtime: "PT5M" }
`,
    )
    script(
      box,
      'python',
      'echo "$1" >> order; while [ "$1" = train.py ] && [ ! -e go ]; do sleep 0.05; done',
    )
    const created = await box.jobmeter(['workflows', 'create-from-spec', spec, '--format', 'json'])
    expect(JSON.parse(created.stdout)).toEqual({ workflow_id: 1 })
    const capacity = ['--cpus', '8', '--memory', '32g']
    const run = box.start(['run-jobs', '1', ...capacity], { ...onPath(box), input: '' })
    const series = box.path(`output/resource_utilization/resource_metrics_${hostname()}_1_1.db`)
    const count =
      'SELECT count(*) AS n FROM job_resource_samples JOIN job_metadata USING (job_id) WHERE job_name = ?'
    await until(() => existsSync(series) && Number(ask(series, count, 'train_model')[0]?.['n']) > 2)
    expect(await states(box)).toEqual({
      preprocess_data: 'success',
      train_model: 'running',
      evaluate_model: 'waiting',
    })
    writeFileSync(box.path('go'), '')
    expect((await run.ended).code).toBe(0)
    expect(lines(box.path('order'))).toEqual(['preprocess.py', 'train.py', 'evaluate.py'])
    expect(await results(box)).toMatchObject(
      ['preprocess_data', 'train_model', 'evaluate_model'].map((job_name, index) => ({
        job_id: index + 1,
        job_name,
        run_id: 1,
        attempt: 1,
        status: 'success',
        return_code: 0,
        cpu_seconds: expect.any(Number),
      })),
    )
    expect(ask(series, 'SELECT job_id, job_name FROM job_metadata ORDER BY job_id')).toEqual([
      { job_id: 1, job_name: 'preprocess_data' },
      { job_id: 2, job_name: 'train_model' },
      { job_id: 3, job_name: 'evaluate_model' },
    ])
    const [sample] = ask(
      series,
      'SELECT timestamp, cpu_percent, memory_bytes, num_processes FROM job_resource_samples WHERE job_id = 2 ORDER BY timestamp DESC',
    )
    expect(sample).toMatchObject({
      num_processes: expect.any(Number),
      timestamp: expect.any(Number),
    })
    const { stdout } = await box.jobmeter(['results', 'list', '1'])
    for (const heading of ['Peak CPU %', 'Avg CPU %', 'Peak Mem', 'Avg Mem'])
      expect(stdout).toContain(heading)
  })

  it('tells each job who it is, and gives it the GPUs by index', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `env: { LEVEL: workflow, WORD: from the file }
jobs:
  - name: a
    command: 'echo "$JOBMETER_WORKFLOW_ID $JOBMETER_RUN_ID $JOBMETER_JOB_ID $JOBMETER_JOB_NAME $JOBMETER_ATTEMPT $JOBMETER_OUTPUT_DIR $LEVEL $WORD"; echo oops >&2'
    env: { LEVEL: job }
  - { name: "gpu{i}", command: 'echo $CUDA_VISIBLE_DEVICES/$ROCR_VISIBLE_DEVICES > gpu{i}; while [ ! -e gpu1 ] || [ ! -e gpu2 ]; do sleep 0.01; done', parameters: { i: "1:2" }, resource_requirements: { gpus: 1 } }
  - { name: both, command: echo $CUDA_VISIBLE_DEVICES > both, depends_on: [gpu1, gpu2], resource_requirements: { gpus: 2 } }
  - { name: none, command: 'echo "<$CUDA_VISIBLE_DEVICES>" > none', resource_requirements: { gpus: 0 } }
`,
    )
    const ended = await box.jobmeter([
      'run',
      spec,
      '--gpus',
      '2',
      '--cpus',
      '4',
      '--output-dir',
      'out',
    ])
    expect(ended.code, ended.stderr).toBe(0)
    const stdio = box.path('out/job_stdio')
    expect(lines(`${stdio}/job_1_1_1_1.o`)).toEqual([
      `1 1 1 a 1 ${box.path('out')} job from the file`,
    ])
    expect(lines(`${stdio}/job_1_1_1_1.e`)).toEqual(['oops'])
    const gpus = ['gpu1', 'gpu2'].flatMap((name) => lines(box.path(name)))
    expect(gpus.toSorted()).toEqual(['0/0', '1/1'])
    expect(lines(box.path('both'))).toEqual(['0,1'])
    expect(lines(box.path('none'))).toEqual(['<>'])
    const logged = await box.jobmeter(['logs', 'a', '--stderr'])
    expect(logged.stdout).toBe('oops\n')
  })

  it('finds programs on the path that the file sets', async () => {
    using box = sandbox()
    script(box, 'tool', 'echo found')
    const spec = flow(
      box,
      `jobs: [{ name: a, command: tool, env: { PATH: "${box.directory}:/usr/bin:/bin" } }]\n`,
    )
    expect((await box.jobmeter(['run', spec])).code).toBe(0)
  })

  it('runs its actions at their moments', async () => {
    using box = sandbox()
    const action = (trigger: string, more = '') =>
      `  - { trigger_type: ${trigger}, action_type: run_commands, ${more} commands: ["echo ${trigger} >> order"] }\n`
    const spec = flow(
      box,
      `actions:
${action('on_workflow_start')}${action('on_worker_start')}${action('on_worker_complete')}${action('on_workflow_complete')}${action('on_jobs_ready', 'jobs: [b],')}${action('on_jobs_complete', 'job_name_regexes: ["^a"],')}  - { trigger_type: on_workflow_complete, action_type: run_commands, commands: ["exit 7"] }
jobs:
  - { name: a1, command: echo a1 >> order }
  - { name: b, command: "sleep 0.2; echo b >> order", depends_on: [a1] }
`,
    )
    const { code, stderr } = await box.jobmeter(['run', spec, '--cpus', '1'])
    expect(code, stderr).toBe(0)
    const order = lines(box.path('order'))
    expect(order.slice(0, 3)).toEqual(['on_workflow_start', 'on_worker_start', 'a1'])
    expect(order.slice(3, 5).toSorted()).toEqual(['on_jobs_complete', 'on_jobs_ready'])
    expect(order.slice(5)).toEqual(['b', 'on_worker_complete', 'on_workflow_complete'])
    expect(stderr).toContain('an action (on_workflow_complete) exited with code 7: exit 7')
  })

  it('is measured unless one says otherwise', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'resource_monitor: { granularity: time_series }\njobs: [{ name: a, command: "true" }]\n',
    )
    expect((await box.jobmeter(['run', spec, '--no-resource-monitoring'])).code).toBe(0)
    expect(readdirSync(box.path('output/resource_utilization'))).toEqual([])
    expect(await results(box)).toMatchObject([{ status: 'success', peak_cpu_percent: null }])
  })
})

describe('what run says', () => {
  const two =
    'jobs:\n  - { name: a, command: "true" }\n  - { name: b, command: "echo mañana >&2; exit 3" }\n'

  it('is a line for each end and a summary, where there is no terminal', async () => {
    using box = sandbox()
    const { code, stdout, stderr } = await box.jobmeter(['run', flow(box, two), '--cpus', '1'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^\[1\/2\] a success in [\d.]+ s\n\[2\/2\] b failed in /)
    expect(stderr).toContain('1 of 2 jobs succeeded')
    expect(stderr).toContain('✗ b: failed, exited with code 3')
    expect(stderr).toContain('    mañana\n')
    expect(stderr).toMatch(/jobmeter run \/\S+ --resume 1\n/)
    expect(stderr).not.toContain('\u001b')
  })

  it('is what failed, in a line each, with --quiet, and JSON where that is asked for', async () => {
    using box = sandbox()
    const spec = flow(box, two)
    expect(await box.jobmeter(['run', spec, '-q'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'jobmeter: b: failed, exited with code 3; see jobmeter logs b --workflow 1\n',
    })
    const json = await box.jobmeter(['run', spec, '-q', '--format', 'json'])
    expect(JSON.parse(json.stdout) as RunJson).toMatchObject({
      workflow_id: 2,
      run_id: 1,
      status_counts: { success: 1, failed: 1 },
      stopped: null,
    })
  })

  it('is exit code 2 and nothing stored for a file with errors', async () => {
    using box = sandbox()
    const { code, stderr } = await box.jobmeter([
      'run',
      flow(box, 'jobs: [{ name: a, comand: x }]\n'),
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('command')
    expect((await box.jobmeter(['workflows', 'status', '1'])).code).toBe(1)
    expect((await box.jobmeter(['run', 'flow.yaml', '--resume', '1'])).code).toBe(2)
    expect((await box.jobmeter(['run', '--resume', '7'])).stderr).toContain(
      'there is no workflow 7',
    )
  })

  it('is what to do about options for Slurm where jobs do not go there, and nothing is stored', async () => {
    using box = sandbox()
    const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
    const refused = await box.jobmeter(['run', spec, '--slurm-by', 'workers'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      '--slurm-by goes with --executor slurm. Add that, or leave --slurm-by out',
    )
    expect((await box.jobmeter(['run', spec])).code).toBe(0)
    const resumed = await box.jobmeter(['run', '--resume', '1', '--slurm-poll', '1s'])
    expect(resumed.stderr).toContain('--slurm-poll goes with --executor slurm')
    expect((await box.jobmeter(['workflows', 'list', '--format', 'json'])).stdout).toMatch(
      /"workflow_id": 1[,\n](?!.*"workflow_id": 2)/s,
    )
  })

  it('goes on when the file is deleted: the ledger has it', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'jobs:\n  - { name: a, command: rm flow.yaml }\n  - { name: b, command: "true", depends_on: [a] }\n',
    )
    expect((await box.jobmeter(['run', spec])).code).toBe(0)
    expect(existsSync(spec)).toBe(false)
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(0)
    expect(readdirSync(box.path('output/job_stdio'))).toEqual([])
  })
})

function ask(path: string, sql: string, ...values: string[]): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    return database
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }))
  } catch {
    // The tables are made a moment after the file.
    return []
  } finally {
    database.close()
  }
}
