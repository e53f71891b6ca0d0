import { didYouMean } from './suggest.ts'

/** What a task is about, to whoever makes its command. */
export interface ToolInput {
  readonly script: string | null
  readonly params: Readonly<Record<string, unknown>>
}

/** Why a tool cannot be run as it was asked to. */
export class ToolMistake extends Error {
  readonly code: 'not-valid' | 'missing-script' | 'missing-parameter'

  constructor(code: ToolMistake['code'], message: string) {
    super(message)
    this.name = 'ToolMistake'
    this.code = code
  }
}

const placeholder = /\{(script|params|params\.([^{}]+))\}/g

/** The program and its arguments, with `{script}`, `{params.mesh_size}` and `{params}` filled in. No shell reads them. */
export const filledCommand = (
  name: string,
  words: readonly string[],
  input: ToolInput,
): readonly string[] =>
  checkedCommand(
    name,
    words.map((word) => filled(name, word, input)),
  )

export function checkedCommand(name: string, words: readonly string[]): readonly string[] {
  const [program = ''] = words
  if (program === '' || words.some((word) => typeof word !== 'string' || word.includes('\0')))
    throw new ToolMistake(
      'not-valid',
      `the command of the tool "${name}" must be a list of texts that begins with a program: ${JSON.stringify(words)}`,
    )
  return words
}

function filled(name: string, word: string, { script, params }: ToolInput): string {
  return word.replace(placeholder, (whole, _what: string, key: string | undefined) => {
    if (whole === '{params}') return JSON.stringify(params)
    if (key === undefined) return script ?? missingScript(name)
    const value = Object.hasOwn(params, key) ? params[key] : undefined
    if (value === undefined) throw missingParameter(name, key, Object.keys(params))
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

function missingScript(name: string): never {
  throw new ToolMistake('missing-script', `the tool "${name}" needs a script, such as poisson.py`)
}

function missingParameter(name: string, key: string, given: readonly string[]): ToolMistake {
  const has = given.length === 0 ? 'None was given' : `Given: ${given.join(', ')}`
  return new ToolMistake(
    'missing-parameter',
    `the tool "${name}" needs the parameter "${key}".${didYouMean(key, given)} ${has}`,
  )
}
