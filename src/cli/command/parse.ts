import type {
  ArgumentDefinition,
  ArgumentValues,
  CommandDefinition,
  OptionDefinition,
  OptionTable,
  OptionValues,
} from './define.ts'
import { didYouMean } from '../../model/suggest.ts'
import { goodOne, parseValue } from './value.ts'

export type ParseResult<D extends CommandDefinition> =
  | {
      readonly kind: 'ok'
      readonly options: OptionValues<D>
      readonly arguments: ArgumentValues<D>
    }
  | { readonly kind: 'help' }
  | UsageError

/** What the user typed is wrong; 2 is what shells exit with then. */
export interface UsageError {
  readonly kind: 'error'
  readonly message: string
  readonly exitCode: 2
}

export const usageError = (message: string): UsageError => ({ kind: 'error', message, exitCode: 2 })

/** Reads what follows a command's name. */
export function parseCommand<D extends CommandDefinition>(
  definition: D,
  argv: readonly string[],
  typedAs = definition.name,
): ParseResult<D> {
  const scan = scanTokens(definition, argv)
  // Who asks for help gets it, whatever else is wrong.
  if (scan.help) return { kind: 'help' }
  if (scan.error !== undefined) return usageError(scan.error)
  const called = calledAs(definition, typedAs)
  const missing = missingOption(called, scan.given)
  if (missing !== undefined) return usageError(missing)
  const placed = placeArguments(called, scan.positionals)
  if (typeof placed === 'string') return usageError(placed)
  const options = Object.entries(definition.options).map(([name, option]): [string, Given] => [
    name,
    scan.given.get(name) ?? defaultOf(option),
  ])
  return {
    kind: 'ok',
    options: Object.fromEntries(options) as OptionValues<D>,
    arguments: Object.fromEntries(placed) as ArgumentValues<D>,
  }
}

/** Errors speak of a command by the name that was typed. */
function calledAs(definition: CommandDefinition, typedAs: string): CommandDefinition {
  const { name, usage, examples } = definition
  if (typedAs === name) return definition
  const renamed = (text: string): string => text.replace(name, typedAs)
  return {
    ...definition,
    name: typedAs,
    usage: renamed(usage),
    examples: examples.map(renamed),
  }
}

type Given = string | number | boolean | readonly string[] | undefined

interface Scan {
  readonly given: Map<string, Given>
  readonly positionals: readonly string[]
  readonly help: boolean
  readonly error: string | undefined
}

function scanTokens(definition: CommandDefinition, argv: readonly string[]): Scan {
  const given = new Map<string, Given>()
  const positionals: string[] = []
  let help = false
  let error: string | undefined
  let index = 0
  for (let token = argv[0]; token !== undefined; token = argv[index]) {
    if (token === '--') {
      positionals.push(...argv.slice(index + 1))
      break
    }
    if (!looksLikeOption(token)) {
      if (definition.passthrough === true) {
        positionals.push(...argv.slice(index))
        break
      }
      positionals.push(token)
      index += 1
    } else if (token === '-h' || token === '--help') {
      help = true
      index += 1
    } else {
      const read = readOption(definition.options, token, argv[index + 1])
      if (read.kind === 'error') error ??= read.message
      else if (read.list)
        given.set(read.name, [...listOf(given.get(read.name)), ...listOf(read.value)])
      else given.set(read.name, read.value)
      index += read.used
    }
  }
  return { given, positionals, help, error }
}

/** What stands before a command and its own words, for who has to know which of several commands is meant. */
export interface WordsBefore {
  /** The first that is neither an option nor the value of one; undefined where `--` comes before it, or nothing. */
  readonly word: string | undefined
  /** The options before it, by their long names. */
  readonly options: ReadonlySet<string>
}

export function readWordsBefore(table: OptionTable, argv: readonly string[]): WordsBefore {
  const options = new Set<string>()
  let index = 0
  for (let token = argv[0]; token !== undefined && token !== '--'; token = argv[index]) {
    if (!looksLikeOption(token)) return { word: token, options }
    // Whether its value is a good one, whoever is meant will say.
    const known = findOption(table, token.split('=', 1)[0] ?? '')
    if (known !== undefined) options.add(known.name)
    index += readOption(table, token, argv[index + 1]).used
  }
  return { word: undefined, options }
}

/** A lone `-` is by custom a file: standard input or output. */
export const looksLikeOption = (token: string): boolean => token.startsWith('-') && token !== '-'

type ReadOption =
  | {
      readonly kind: 'ok'
      readonly name: string
      readonly value: string | number | boolean | readonly string[]
      readonly list: boolean
      readonly used: number
    }
  | { readonly kind: 'error'; readonly message: string; readonly used: number }

function readOption(table: OptionTable, token: string, next: string | undefined): ReadOption {
  const equals = token.indexOf('=')
  const flag = equals < 0 ? token : token.slice(0, equals)
  const inline = equals < 0 ? undefined : token.slice(equals + 1)
  const found = findOption(table, flag)
  if (found === undefined) {
    const message = `unknown option ${flag}.${didYouMean(flag, flagsOf(table))}`
    return { kind: 'error', message, used: 1 }
  }
  const { name, option, negated } = found
  if (option.type === 'boolean') {
    return inline === undefined
      ? { kind: 'ok', name, value: !negated, list: false, used: 1 }
      : { kind: 'error', message: `${flag} does not take a value.`, used: 1 }
  }
  const text = inline ?? (next !== undefined && canBeValue(next) ? next : undefined)
  if (text === undefined) {
    return { kind: 'error', message: `${flag} needs a value.${goodOne(option, flag)}`, used: 1 }
  }
  const used = inline === undefined ? 2 : 1
  const parsed = parseValue(option, flag, text)
  if (parsed.kind === 'error') return { kind: 'error', message: parsed.message, used }
  return { kind: 'ok', name, value: parsed.value, list: option.type === 'list', used }
}

/** After an option that wants a value, `-5` is a number but `--quiet` a value forgotten. */
const canBeValue = (token: string): boolean => !looksLikeOption(token) || /^-[\d.]/.test(token)

interface FoundOption {
  readonly name: string
  readonly option: OptionDefinition
  readonly negated: boolean
}

function findOption(table: OptionTable, flag: string): FoundOption | undefined {
  for (const [name, option] of Object.entries(table)) {
    if (flag === `--${name}` || (option.short !== undefined && flag === `-${option.short}`)) {
      return { name, option, negated: false }
    }
    if (flag === `--no-${name}` && canBeNegated(option)) return { name, option, negated: true }
  }
  return undefined
}

/** Something that is on unless told otherwise, or as it was before, is told so by `--no-…`. */
export const canBeNegated = (option: OptionDefinition): boolean =>
  option.type === 'boolean' && (option.default === true || option.default === null)

function flagsOf(table: OptionTable): string[] {
  const flags = Object.entries(table).flatMap(([name, option]) =>
    canBeNegated(option) ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  )
  return [...flags, '--help']
}

function defaultOf(option: OptionDefinition): Given {
  if (option.type === 'list') return []
  if (option.default === null) return undefined
  return option.default ?? (option.type === 'boolean' ? false : undefined)
}

const listOf = (value: Given): readonly string[] => (typeof value === 'object' ? value : [])

function missingOption(
  definition: CommandDefinition,
  given: ReadonlyMap<string, Given>,
): string | undefined {
  for (const [name, option] of Object.entries(definition.options)) {
    if (option.type === 'boolean' || option.required !== true || given.has(name)) continue
    return `${definition.name} needs --${name}.${goodOne(option, `--${name}`)}`
  }
  return undefined
}

type PlacedArguments = readonly (readonly [string, string | readonly string[] | undefined])[]

/** Gives each declared argument its words, or says what is missing or too much. */
function placeArguments(
  definition: CommandDefinition,
  words: readonly string[],
): PlacedArguments | string {
  const placed = definition.arguments.map((argument, index) => {
    const value = argument.variadic === true ? words.slice(index) : words[index]
    return { argument, value, missing: argument.required && (value?.length ?? 0) === 0 }
  })
  const absent = placed.find((place) => place.missing)
  if (absent !== undefined) return missingArgument(definition, absent.argument)
  const room = definition.arguments.some((argument) => argument.variadic === true)
    ? Infinity
    : definition.arguments.length
  const extra = words[room]
  if (extra !== undefined) {
    return `${definition.name} does not take "${extra}". Usage: jobmeter ${definition.usage}`
  }
  return placed.map(({ argument, value }) => [argument.name, value] as const)
}

function missingArgument(definition: CommandDefinition, argument: ArgumentDefinition): string {
  const [example] = definition.examples
  const advice =
    example === undefined ? `Usage: jobmeter ${definition.usage}` : `For example: ${example}`
  return `${definition.name} needs ${argument.name.toUpperCase()}. ${advice}`
}
