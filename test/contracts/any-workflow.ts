import fc from 'fast-check'
import {
  actionTriggers,
  jobSortMethods,
  type Workflow,
  type WorkflowJob,
} from '../../src/model/workflow.ts'
import type { NewWorkflow } from '../../src/store/ledger/workflow-store.ts'

const text = fc.string({ unit: 'binary', maxLength: 12 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary)
// JSON and SQLite both write -0 as 0.
const figure = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((double) => (double === 0 ? 0 : double))
const jsonValue = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)))
const kept = fc.dictionary(text, jsonValue, { maxKeys: 3 })
const environment = fc.dictionary(text, text, { maxKeys: 3 })
// Short ones stand in the definition, long ones in a table of their own.
const names = fc.oneof(fc.array(text, { maxLength: 3 }), fc.array(text, { maxLength: 30 }))

const anyJob: fc.Arbitrary<Omit<WorkflowJob, 'name' | 'dependsOn'>> = fc.record({
  command: text,
  invocationScript: maybe(text),
  environment,
  requirements: fc.record({
    cpus: maybe(figure),
    memoryBytes: maybe(fc.nat()),
    gpus: maybe(fc.nat()),
    runtimeSeconds: maybe(figure),
  }),
  requirementsName: maybe(text),
  priority: fc.integer(),
  cancelOnBlockingJobFailure: fc.boolean(),
  failureHandler: maybe(
    fc.record({
      name: text,
      rules: fc.array(
        fc.record({
          exitCodes: maybe(fc.array(fc.nat({ max: 255 }))),
          recoveryScript: maybe(text),
          maxRetries: fc.nat(),
        }),
        { maxLength: 2 },
      ),
    }),
  ),
  inputFiles: names,
  outputFiles: names,
  inputUserData: names,
  outputUserData: names,
  kept,
})

/** Jobs with names of their own, some of which share one list of what they wait for. */
const anyJobs: fc.Arbitrary<WorkflowJob[]> = fc
  .record({ lists: fc.array(names, { minLength: 1, maxLength: 4 }), jobs: fc.array(anyJob) })
  .chain(({ lists, jobs }) =>
    fc
      .array(fc.nat({ max: lists.length - 1 }), { minLength: jobs.length, maxLength: jobs.length })
      .map((chosen) =>
        jobs.map((job, index) => ({
          ...job,
          name: `job ${index}`,
          dependsOn: lists[chosen[index] ?? 0] ?? [],
        })),
      ),
  )

const anyDefinition: fc.Arbitrary<Workflow> = fc.record({
  name: text,
  user: maybe(text),
  description: maybe(text),
  project: maybe(text),
  metadata: jsonValue,
  environment,
  files: fc.array(fc.record({ name: text, path: text }), { maxLength: 3 }),
  userData: fc.array(fc.record({ name: text, data: jsonValue, isEphemeral: fc.boolean() }), {
    maxLength: 3,
  }),
  jobs: anyJobs,
  actions: fc.array(
    fc.record({
      trigger: fc.constantFrom(...actionTriggers),
      type: fc.constantFrom('run_commands' as const, 'schedule_nodes' as const),
      jobs: names,
      commands: names,
      kept,
    }),
    { maxLength: 2 },
  ),
  monitor: fc.record({
    enabled: fc.boolean(),
    granularity: fc.constantFrom('summary' as const, 'time_series' as const),
    sampleIntervalSeconds: figure,
    generatePlots: fc.boolean(),
    enforce: fc.subarray(['memory' as const, 'runtime' as const]),
  }),
  sortMethod: fc.constantFrom(...jobSortMethods),
  maxParallelJobs: maybe(fc.nat()),
  strictFiles: fc.boolean(),
  kept,
})

export const anyWorkflow: fc.Arbitrary<NewWorkflow> = fc.record({
  workflow: anyDefinition,
  specPath: text,
  specText: text,
  user: text,
  createdAt: figure,
})
