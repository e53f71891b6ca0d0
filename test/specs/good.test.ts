import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Workflow } from '../../src/model/workflow.ts'
import { planWorkflow } from '../../src/workflow/plan/plan-workflow.ts'
import { formatSpecError } from '../../src/workflow/spec/problem.ts'
import { readSpec } from '../../src/workflow/spec/read-spec.ts'

const folder = join(import.meta.dirname, 'good')
const features = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''))

function read(file: string): Workflow {
  const result = readSpec(readFileSync(join(folder, file), 'utf8'), file)
  if (result.kind === 'ok') return result.workflow
  throw new Error(result.errors.map(formatSpecError).join('\n'))
}

describe('each feature of the spec', () => {
  it.each(features)('%s is the same workflow in all four formats', (feature) => {
    const yaml = read(`${feature}.yaml`)
    for (const extension of ['json', 'json5', 'kdl']) {
      const other = read(`${feature}.${extension}`)
      expect(other).toEqual(yaml)
      expect(planWorkflow(other)).toEqual(planWorkflow(yaml))
    }
  })
})

const jobs = (feature: string): Record<string, Workflow['jobs'][number]> =>
  Object.fromEntries(read(`${feature}.yaml`).jobs.map((job) => [job.name, job]))

describe('what the features mean', () => {
  it("is as the guide's example says", () => {
    const { monitor, jobs: all } = read('seed-example.yaml')
    expect(monitor).toMatchObject({ granularity: 'time_series', sampleIntervalSeconds: 2 })
    expect(all[0]?.requirements).toEqual({
      cpus: 4,
      memoryBytes: 16 * 1024 ** 3,
      gpus: null,
      runtimeSeconds: 1800,
    })
    expect(all[1]).toMatchObject({ dependsOn: ['my_job'], requirementsName: 'initial_guess' })
  })

  it('fills containers in for each job', () => {
    const { train_2: second, solve } = jobs('container')
    expect(second?.container).toEqual({
      image: 'python:3.13',
      runtime: null,
      mounts: ['.:/work', '/scratch/2:/scratch:ro'],
      arguments: ['--network', 'none'],
      workingDirectory: '/work',
    })
    expect(solve?.container).toMatchObject({ image: 'solver.sif', runtime: 'apptainer' })
    expect(jobs('zip')).not.toHaveProperty('container')
  })

  it('joins all ways to name dependencies', () => {
    const { b, c, d, e } = jobs('dependencies')
    expect(b?.dependsOn).toEqual(['a1', 'a2'])
    expect(c).toMatchObject({ dependsOn: ['a1', 'b'], priority: 5 })
    expect(d).toMatchObject({ dependsOn: ['a1', 'a2'], cancelOnBlockingJobFailure: false })
    expect(e?.dependsOn).toEqual(['a1', 'a2', 'b', 'c', 'd'])
  })

  it('finds dependencies through files and fills their paths in', () => {
    const { fetch, clean, train, report, pack } = jobs('files')
    expect(fetch?.command).toBe('fetch > data/raw.csv')
    expect(clean).toMatchObject({
      command: 'clean data/raw.csv data/clean.csv',
      dependsOn: ['fetch'],
    })
    expect(clean?.outputFiles).toEqual(['clean'])
    expect(train?.dependsOn).toEqual(['clean'])
    expect(report?.dependsOn).toEqual(['clean', 'train'])
    expect(pack).toMatchObject({
      command: 'tar ${HOME} $1',
      dependsOn: ['fetch', 'train', 'report'],
    })
  })

  it('finds dependencies through user data and fills its JSON in', () => {
    const { make, use, all } = jobs('user-data')
    expect(make?.command).toBe(`make '{"rate":0.5,"tags":["x",null],"deep":{"on":true}}'`)
    expect(make?.inputUserData).toEqual(['config'])
    expect(use?.dependsOn).toEqual(['make'])
    expect(all?.inputUserData).toEqual(['config', 'result'])
  })

  it('expands parameters, and leaves the braces of others alone', () => {
    const all = jobs('parameters')
    expect(Object.keys(all)).toHaveLength(3 + 12 + 6 + 3 + 1)
    expect(all['prep_02']?.command).toBe("prep data/002.csv | awk '{print}' ${i}")
    expect(all['train_3_0.0100_sgd']).toMatchObject({
      command: 'train --in data/003.csv --lr 0.01 --opt sgd',
      dependsOn: ['prep_03'],
    })
    expect(all['own_0.5_true']?.command).toBe('own 5.000000e-01')
    expect(all['some_1']?.command).toBe('some {opt}')
    expect(all['all']?.dependsOn).toHaveLength(6)
  })

  it('zips, and counts down', () => {
    expect(Object.keys(jobs('zip'))).toEqual([
      'run_10_small',
      'run_20_medium',
      'run_30_large',
      'down_3',
      'down_2',
      'down_1',
    ])
  })

  it('puts variables wherever they are named', () => {
    const { environment, files, jobs: all } = read('variables-env.yaml')
    expect(environment).toEqual({ DATA: '/data/v3', DEBUG: 'false' })
    expect(files[0]?.path).toBe('/data/in.csv')
    expect(all[0]).toMatchObject({
      command: 'run /data /data/in.csv {unknown} 003',
      invocationScript: 'bash /data/setup.sh',
      environment: { LEVEL: '2', WHERE: '/data/a' },
    })
  })

  it('keeps the rules of failure handlers', () => {
    expect(jobs('failure-handlers')['a']?.failureHandler?.rules).toEqual([
      { exitCodes: [1, 137], recoveryScript: './clean.sh', maxRetries: 5 },
      { exitCodes: null, recoveryScript: null, maxRetries: 3 },
    ])
  })

  it('finds the jobs of actions', () => {
    const { actions } = read('actions.yaml')
    expect(actions.map(({ jobs: named }) => named)).toEqual([[], ['a1', 'a2', 'b'], ['a1']])
    expect(actions[0]?.commands).toEqual(['mkdir -p out', 'date'])
    expect(actions[2]?.kept).toMatchObject({ scheduler: 'big', num_allocations: 2 })
  })

  it('has the monitor on unless told otherwise', () => {
    expect(read('monitor.yaml').monitor).toEqual({
      enabled: true,
      granularity: 'time_series',
      sampleIntervalSeconds: 0.25,
      generatePlots: true,
      enforce: ['memory', 'runtime'],
    })
    expect(read('zip.yaml').monitor).toMatchObject({ enabled: true, sampleIntervalSeconds: 5 })
  })

  it('keeps what belongs to other executors', () => {
    const { kept, jobs: all } = read('other-executors.yaml')
    expect(Object.keys(kept).toSorted()).toEqual([
      'compute_node_ignore_workflow_completion',
      'compute_node_wait_for_new_jobs_seconds',
      'slurm_defaults',
      'slurm_schedulers',
      'use_pending_failed',
    ])
    expect(all[0]?.kept).toEqual({ scheduler: 'short', supports_termination: true, num_nodes: 2 })
  })
})
