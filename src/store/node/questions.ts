import { jobKinds } from '../../model/node-round.ts'
import { usageKeys, usageMetrics } from '../../model/node-usage.ts'
import { isAmount, isCount, isObject } from '../valid.ts'
import { jobOrders } from './job-query.ts'
import { dictionaries } from './names.ts'
import type { NodeReader, QuestionName } from './node-reader.ts'

/** What others send: nothing in it may be taken for what it says it is. */
type Check = (value: unknown) => boolean

const longestName = 1_000
const mostNames = 1_000
/** Beyond the year 10000 nothing can be shown. */
const mostSeconds = 253_402_300_800

const name: Check = (value) => typeof value === 'string' && value.length <= longestName
const seconds: Check = (value) => typeof value === 'number' && Math.abs(value) <= mostSeconds
const whole: Check = (value) => isCount(value) && value <= 2 ** 31
/** More steps than a screen has pixels would only make a large answer. */
const steps: Check = (value) => whole(value) && Number(value) >= 1 && Number(value) <= 1_000
const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value)
const listOf =
  (check: Check, most = mostNames): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(check)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
/** Every key has its check, and no other key is there. */
const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((key) => Object.hasOwn(checks, key)) &&
    Object.entries(checks).every(([key, check]) =>
      check(Object.hasOwn(value, key) ? value[key] : undefined),
    )

const names = optional(listOf(name))
const whose = { users: names, hosts: names, accounts: names, commands: names }

/**
 * Every question that an agent answers, with what each of its arguments may be. What is not here cannot be asked by those who
 * may not read the file.
 */
const questions: Readonly<Record<QuestionName, readonly Check[]>> = {
  jobs: [
    shape({
      ...whose,
      kinds: optional(listOf(oneOf(jobKinds))),
      pid: optional(whole),
      id: optional(name),
      idStart: optional(name),
      rowId: optional(whole),
      from: optional(seconds),
      to: optional(seconds),
      minRuntimeSeconds: optional(isAmount),
      state: optional(oneOf(['running', 'completed'])),
      limit: optional(whole),
      order: optional(oneOf(jobOrders)),
    }),
  ],
  usage: [
    shape({
      ...whose,
      by: listOf(oneOf(usageKeys), usageKeys.length),
      metric: oneOf(usageMetrics),
      from: seconds,
      to: seconds,
      weekdays: optional(listOf(whole)),
      hours: optional(listOf(whole)),
      // Clocks change twice a year.
      offsets: listOf(shape({ from: seconds, offsetSeconds: seconds }), mostNames),
    }),
  ],
  series: [shape({ rowId: whole, seenSeconds: seconds })],
  states: [shape({ from: seconds, to: seconds, hosts: names })],
  wall: [shape({ from: seconds, to: seconds, steps, hosts: names, limit: optional(whole) })],
  hostCurve: [shape({ host: name, from: seconds, to: seconds })],
  stretches: [seconds, seconds, optional(name)],
  boots: [],
  extents: [],
  hours: [],
  neighbours: [seconds, seconds, listOf(name)],
  wasLooked: [seconds, seconds, listOf(name)],
  names: [oneOf(dictionaries)],
  violations: [
    shape({
      policies: names,
      users: names,
      hosts: names,
      from: optional(seconds),
      to: optional(seconds),
    }),
  ],
  judgedHosts: [],
}

export const questionNames = Object.keys(questions) as readonly QuestionName[]

/** A question as it is sent. */
export interface SentQuestion {
  readonly ask: QuestionName
  readonly with: readonly unknown[]
}

/** What comes back: an answer, and of whose jobs it tells, or why there is none. */
export type Reply =
  | { readonly ok: unknown; readonly sees: 'all' | 'own' }
  | { readonly error: string }

/** What was sent, if it is a question and all of it is as it may be; else undefined. */
export function asQuestion(sent: unknown): SentQuestion | undefined {
  if (!isObject(sent) || Object.keys(sent).some((key) => key !== 'ask' && key !== 'with'))
    return undefined
  const { ask, with: given } = sent
  const asked = questionNames.find((one) => one === ask)
  if (asked === undefined || !Array.isArray(given)) return undefined
  const checks = questions[asked]
  const isRight = given.length <= checks.length && checks.every((check, at) => check(given[at]))
  return isRight ? { ask: asked, with: given } : undefined
}

export function answerTo(reader: NodeReader, question: SentQuestion): unknown {
  const method = reader[question.ask] as (...given: unknown[]) => unknown
  return method.apply(reader, [...question.with])
}
