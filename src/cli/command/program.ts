import { globalOptions } from './define.ts'
import type { UsageError } from './parse.ts'
import { looksLikeOption, usageError } from './parse.ts'
import { didYouMean } from '../../model/suggest.ts'

export type ProgramResult =
  /** `argv` is what the command has to read: the global options from before its name, then the rest. */
  | { readonly kind: 'command'; readonly name: string; readonly argv: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | UsageError

/**
 * Finds the command in what follows `jobmeter`. It knows only names, so that no command needs to be
 * loaded but the one that runs. `names` holds the aliases too. A command that has commands of its own, such as
 * `jobmeter workflows`, is a program in this sense.
 */
export function parseProgram(
  argv: readonly string[],
  names: readonly string[],
  program = 'jobmeter',
  nested: Readonly<Record<string, string>> = {},
): ProgramResult {
  const known = { names, program, nested }
  const leading: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '-h' || token === '--help') return { kind: 'help' }
    if (token === '-V' || token === '--version') return { kind: 'version' }
    if (!looksLikeOption(token)) {
      return chooseCommand(token, leading, argv.slice(index + 1), known)
    }
    if (token === '--' && program === 'jobmeter')
      return usageError(`no command given before --. ${measureHint(argv.slice(index + 1))}`)
    const [flag = ''] = token.split('=')
    if (!globalFlags.includes(flag)) return unknownOption(flag, known)
    leading.push(token)
    if (token === flag) {
      const value = argv[++index]
      if (value !== undefined) leading.push(value)
    }
  }
  return leading.length === 0
    ? { kind: 'help' }
    : usageError(`no command given. See ${program} --help`)
}

interface Known {
  readonly names: readonly string[]
  readonly program: string
  /** Commands of a group that people look for without it, each with the group: `workflows plan`. */
  readonly nested: Readonly<Record<string, string>>
}

const globalFlags = Object.keys(globalOptions).map((name) => `--${name}`)

function chooseCommand(
  name: string,
  leading: readonly string[],
  rest: readonly string[],
  known: Known,
): ProgramResult {
  const { names, program, nested } = known
  if (name === 'help') {
    const [topic] = rest
    return topic === undefined ? { kind: 'help' } : chooseCommand(topic, [], ['--help'], known)
  }
  if (names.includes(name)) return { kind: 'command', name, argv: [...leading, ...rest] }
  const within = Object.hasOwn(nested, name) ? nested[name] : undefined
  if (within !== undefined)
    return usageError(`unknown command ${name}. Did you mean ${program} ${within}?`)
  const meant = didYouMean(name, names) || ` See ${program} --help`
  const isProgram = meant.startsWith(' See') && program === 'jobmeter'
  return usageError(
    `unknown command ${name}.${meant}${isProgram ? `. ${measureHint([name, ...rest])}` : ''}`,
  )
}

/** Whoever leaves out `run --` means to. */
const measureHint = ([name = 'COMMAND', ...rest]: readonly string[]): string =>
  `To measure a program: jobmeter run -- ${name}${rest.length > 0 ? ' …' : ''}`

function unknownOption(flag: string, { names, program }: Known): UsageError {
  const meant = didYouMean(flag, [...globalFlags, '--help', '--version'])
  const [only, another] = names
  const advice =
    only !== undefined && another === undefined
      ? ` Did you mean ${program} ${only} ${flag}?`
      : ' Put the options of a command after its name.'
  return usageError(`unknown option ${flag}.${meant || advice}`)
}
