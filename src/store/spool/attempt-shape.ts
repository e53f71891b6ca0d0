import type { Job, Requirements } from '../../model/job.ts'
import type { LifeSignName, Machine, Owner } from '../../model/machine.ts'
import type { Mark } from '../../model/marks/mark.ts'
import { outcomeStatuses, type Outcome, type Straggler } from '../../model/outcome.ts'
import type { SamplingFacts } from '../../model/record.ts'
import type { AttemptEnd, AttemptStart } from '../ledger/store.ts'
import { isAmount, isCount, isExitCode, isInstant, isObject, isParams, isText } from '../valid.ts'

type Check<T> = (value: unknown) => value is T

/** The compiler sees to it that every field of the type has a check, and one of its own kind. */
const shape =
  <T extends object>(checks: { readonly [Key in keyof T]-?: Check<T[Key]> }): Check<T> =>
  (value): value is T =>
    isObject(value) &&
    Object.entries<Check<unknown>>(checks).every(([key, check]) => check(value[key]))

const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value)

const ifThere =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value)

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

const listOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(check)

const statuses: readonly unknown[] = [...outcomeStatuses, 'unknown']

const job = shape<Job>({
  name: isText,
  tool: isText,
  script: orNull(isText),
  params: isParams,
  tags: listOf(isText),
  command: listOf(isText),
  workingDirectory: isText,
  requirements: shape<Requirements>({
    cpus: orNull(isAmount),
    memoryBytes: orNull(isAmount),
    gpus: orNull(isAmount),
    runtimeSeconds: orNull(isAmount),
  }),
})

const machine = shape<Machine>({ host: isText, cores: isCount, memoryBytes: orNull(isAmount) })

/** All that is known of an attempt before it runs. */
export const isAttemptStart = shape<AttemptStart>({
  job,
  taskId: isText,
  user: isText,
  machine,
  owner: shape<Owner>({
    host: isText,
    bootId: isText,
    pid: isCount,
    startTicks: isCount,
    pidNamespace: ifThere(isText),
    sign: ifThere(shape<LifeSignName>({ name: isText, isLocked: isBoolean })),
  }),
  startedAt: isInstant,
  intervalSeconds: orNull(isAmount),
})

/** How it ended. Figures are looked at one by one as they are restored: other builds know others. */
export const isAttemptEnd = shape<Omit<AttemptEnd, 'usage'> & { readonly usage: object }>({
  startedAt: ifThere(isInstant),
  machine: ifThere(machine),
  endedAt: isInstant,
  durationSeconds: isAmount,
  outcome: shape<Outcome>({
    status: (value): value is Outcome['status'] => statuses.includes(value),
    exitCode: orNull(isExitCode),
    signal: orNull(isText),
    reason: orNull(isText),
    stragglers: listOf(shape<Straggler>({ pid: isCount, command: isText })),
  }),
  usage: isObject,
  samples: shape<SamplingFacts>({
    collected: isCount,
    intervalSeconds: orNull(isAmount),
    late: isCount,
    ownCpuSeconds: orNull(isAmount),
  }),
  marks: ifThere(
    listOf(
      shape<Mark>({
        timestamp: isInstant,
        elapsedSeconds: isAmount,
        step: orNull(isAmount),
        epoch: orNull(isAmount),
        phase: orNull(isText),
        message: orNull(isText),
      }),
    ),
  ),
})
