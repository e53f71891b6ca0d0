import fc from 'fast-check'
import type { Mark } from '../../src/model/marks/mark.ts'
import type { Job } from '../../src/model/job.ts'
import { measured, unmeasured, type Measured } from '../../src/model/measured.ts'
import { outcomeStatuses } from '../../src/model/outcome.ts'
import { usageKeys, type Usage } from '../../src/model/usage.ts'
import type { AttemptEnd, AttemptStart } from '../../src/store/ledger/store.ts'

// Every code point but halves of surrogate pairs, which are no text; NUL is among them.
const text = fc.string({ unit: 'binary' })
// JSON and SQLite both write -0 as 0.
const figure = fc
  .double({ min: 0, noNaN: true, noDefaultInfinity: true })
  .map((double) => (double === 0 ? 0 : double))
const instant = fc
  .double({ min: 0, max: 253_402_300_799, noNaN: true })
  .map((double) => (double === 0 ? 0 : double))
const jsonValue = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)))
const count = fc.nat()
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary)

const anyJob: fc.Arbitrary<Job> = fc.record({
  name: text,
  tool: text,
  script: maybe(text),
  params: fc.dictionary(text, jsonValue),
  tags: fc.array(text),
  command: fc.array(text),
  workingDirectory: text,
  requirements: fc.record({
    cpus: maybe(figure),
    memoryBytes: maybe(fc.oneof(count, figure, fc.constantFrom(2 ** 53, 2 ** 60, 2 ** 63))),
    gpus: maybe(figure),
    runtimeSeconds: maybe(figure),
  }),
})

export const anyStart: fc.Arbitrary<Omit<AttemptStart, 'taskId'>> = fc.record({
  job: anyJob,
  user: text,
  machine: fc.record({ host: text, cores: count, memoryBytes: maybe(figure) }),
  owner: fc.record(
    {
      host: text,
      bootId: text,
      pid: count,
      startTicks: fc.maxSafeNat(),
      pidNamespace: text,
      sign: fc.record({ name: text, isLocked: fc.boolean() }),
    },
    { requiredKeys: ['host', 'bootId', 'pid', 'startTicks'] },
  ),
  startedAt: instant,
  intervalSeconds: maybe(figure),
})

const basis = fc.oneof(
  text,
  text.map((how) => `at least: ${how}`),
  text.map((how) => `${how} at the only look, right after the start: it may have grown since`),
)
const anyFigure: fc.Arbitrary<Measured> = fc.oneof(
  fc.tuple(figure, basis).map(([value, how]) => measured(value, how)),
  text.map(unmeasured),
)
/** Of gauges that this build does not know. */
const furtherKey = fc.constantFrom('gpuPercentMean', 'energyJoules', 'constructor', 'x')
const anyUsage: fc.Arbitrary<Usage> = fc
  .tuple(
    fc.array(anyFigure, { minLength: usageKeys.length, maxLength: usageKeys.length }),
    fc.dictionary(furtherKey, anyFigure, { noNullPrototype: true }),
  )
  .map(([figures, further]) => {
    const entries = usageKeys.map((key, index) => [key, figures[index]])
    return { ...Object.fromEntries(entries), ...further } as Usage
  })

export const anyEnd: fc.Arbitrary<AttemptEnd> = fc.record({
  endedAt: instant,
  durationSeconds: figure,
  outcome: fc.record({
    status: fc.constantFrom(...outcomeStatuses),
    exitCode: maybe(fc.nat(255)),
    signal: maybe(text),
    reason: maybe(text),
    stragglers: fc.array(fc.record({ pid: count, command: text })),
  }),
  usage: anyUsage,
  samples: fc.record({
    collected: count,
    intervalSeconds: maybe(figure),
    late: count,
    ownCpuSeconds: maybe(figure),
  }),
})

/** Marks in order of time. */
export const anyMarks: fc.Arbitrary<Mark[]> = fc
  .array(
    fc.record({
      timestamp: instant,
      elapsedSeconds: figure,
      step: maybe(figure),
      epoch: maybe(figure),
      phase: maybe(text),
      message: maybe(text),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((marks) => marks.toSorted((a, b) => a.timestamp - b.timestamp))
