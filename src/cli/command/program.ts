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
): ProgramResult {
  const leading: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '-h' || token === '--help') return { kind: 'help' }
    if (token === '-V' || token === '--version') return { kind: 'version' }
    if (!looksLikeOption(token)) {
      return chooseCommand(token, leading, argv.slice(index + 1), { names, program })
    }
    const [flag = ''] = token.split('=')
    if (!globalFlags.includes(flag)) return unknownOption(flag)
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

const globalFlags = Object.keys(globalOptions).map((name) => `--${name}`)

function chooseCommand(
  name: string,
  leading: readonly string[],
  rest: readonly string[],
  { names, program }: { readonly names: readonly string[]; readonly program: string },
): ProgramResult {
  if (name === 'help') {
    const [topic] = rest
    return topic === undefined
      ? { kind: 'help' }
      : chooseCommand(topic, [], ['--help'], { names, program })
  }
  if (names.includes(name)) return { kind: 'command', name, argv: [...leading, ...rest] }
  const meant = didYouMean(name, names) || ` See ${program} --help`
  return usageError(`unknown command ${name}.${meant}`)
}

function unknownOption(flag: string): UsageError {
  const meant = didYouMean(flag, [...globalFlags, '--help', '--version'])
  const advice = meant || ' Put the options of a command after its name.'
  return usageError(`unknown option ${flag}.${advice}`)
}
