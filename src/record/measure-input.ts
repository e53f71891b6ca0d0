import { noRequirements } from '../model/job.ts'
import { didYouMean } from '../model/suggest.ts'
import type { MeasureOptions } from './measure-options.ts'

type Name = keyof MeasureOptions
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isTextWithoutNul: Check = (value) => typeof value === 'string' && !value.includes('\0')
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText)
const isRecord: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFunction: Check = (value) => typeof value === 'function'
const isMore =
  (least: number, orEqual = false): Check =>
  (value) =>
    typeof value === 'number' && (orEqual ? value >= least : value > least)

const isEnvironment: Check = (value) =>
  isRecord(value) &&
  Object.values(value as object).every((one) => one === undefined || isTextWithoutNul(one))
const isRequirements: Check = (value) =>
  isRecord(value) &&
  Object.entries(value as object).every(
    ([name, amount]) =>
      Object.hasOwn(noRequirements, name) &&
      (amount === null || amount === undefined || (isMore(0, true)(amount) && amount !== Infinity)),
  )

function isJson(value: unknown): boolean {
  try {
    return isRecord(value) && JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

/** Programs in JavaScript hear of a mistake before anything is started, and not by a job that ran otherwise. */
const expected: Readonly<Record<Name, readonly [Check, string]>> = {
  ledger: [isTextWithoutNul, 'a path'],
  name: [isText, 'a text'],
  tool: [isText, 'a text'],
  script: [isText, 'a text'],
  params: [isJson, 'an object that can be written as JSON'],
  tags: [isTexts, 'a list of texts'],
  requirements: [isRequirements, 'an object of numbers, such as { cpus: 2, memoryBytes: 2 ** 30 }'],
  workingDirectory: [isTextWithoutNul, 'a path'],
  environment: [isEnvironment, 'an object of texts'],
  stdin: [isTextWithoutNul, 'a path'],
  stdout: [isTextWithoutNul, 'a path'],
  stderr: [isTextWithoutNul, 'a path'],
  intervalSeconds: [isMore(0.01, true), 'a number of 0.01 or more'],
  timeoutSeconds: [isMore(0), 'a number above 0'],
  memoryLimitBytes: [isMore(0), 'a number above 0'],
  graceSeconds: [isMore(0, true), 'a number of 0 or more'],
  stragglers: [
    (value) => ['leave', 'wait', 'kill'].includes(String(value)),
    "'leave', 'wait' or 'kill'",
  ],
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
  onProblem: [isFunction, 'a function'],
}

const isOption = (name: string): name is Name => Object.hasOwn(expected, name)

/** Throws a TypeError that says what is wrong and what is expected. */
export function checkMeasure(command: unknown, options: unknown): void {
  const words: readonly unknown[] = Array.isArray(command) ? command : []
  if (words.length === 0 || !words.every(isTextWithoutNul))
    throw new TypeError(
      `the command must be a list of texts, such as ['sleep', '1'], not ${shown(command)}`,
    )
  if (!isRecord(options)) throw new TypeError(`options must be an object, not ${shown(options)}`)
  for (const [name, value] of Object.entries(options as object)) {
    if (!isOption(name))
      throw new TypeError(
        `no option is called "${name}".${didYouMean(name, Object.keys(expected))}`,
      )
    const [isRight, what] = expected[name]
    if (value !== undefined && !isRight(value))
      throw new TypeError(`${name} must be ${what}, not ${shown(value)}`)
  }
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' || value === undefined) return String(value)
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return typeof value
  }
}
