import type { CommandDefinition, OptionDefinition } from './define.ts'
import { canBeNegated } from './parse.ts'
import type { ValuedOption } from './value.ts'

const lineWidth = 80
// Longer left columns get their text on the next line, or the text would have no room.
const widestLeft = 26

type Row = readonly [left: string, text: string]

/** What `jobmeter COMMAND --help` prints. */
export function helpText(definition: CommandDefinition): string {
  const { aliases, description, examples } = definition
  const options: Row[] = [
    ...Object.entries(definition.options).map(([name, option]) => optionRow(name, option)),
    ['-h, --help', 'show this help'],
  ]
  const rows: Row[] = definition.arguments.map((argument) => [
    argument.name.toUpperCase(),
    argument.says,
  ])
  const blocks = [
    `Usage: jobmeter ${definition.usage}`,
    wrap(definition.summary, lineWidth).join('\n'),
    description === undefined ? '' : wrap(description, lineWidth).join('\n'),
    aliases.length === 0 ? '' : `Short: ${aliases.map((alias) => `jobmeter ${alias}`).join(', ')}`,
    section('Arguments', table(rows)),
    section('Options', table(options)),
    section(
      'Examples',
      examples.map((example) => `  ${example}`),
    ),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

export interface CommandSummary {
  readonly name: string
  readonly aliases: readonly string[]
  readonly summary: string
}

/** What `jobmeter --help` prints, or that of a command which has commands of its own. */
export function programHelpText(
  summary: string,
  commands: readonly CommandSummary[],
  program = 'jobmeter',
): string {
  const rows = commands.map(({ name, aliases, summary: says }): Row => [
    [name, ...aliases].join(', '),
    says,
  ])
  const blocks = [
    `Usage: ${program} COMMAND [options]`,
    wrap(summary, lineWidth).join('\n'),
    section('Commands', table(rows)),
    `Run ${program} COMMAND --help for more about one of them.`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function optionRow(name: string, option: OptionDefinition): Row {
  const short = option.short === undefined ? '    ' : `-${option.short}, `
  const flag = `${short}${flagsIn(name, option)}`
  if (option.type === 'boolean') return [flag, option.says]
  const text = `${option.says}${remark(option)}`
  return [`${flag} ${option.value ?? valueName(option)}`, text]
}

/** What is on unless told otherwise is shown as what turns it off; of what may be either, both are shown. */
function flagsIn(name: string, option: OptionDefinition): string {
  if (option.type !== 'boolean' || !canBeNegated(option)) return `--${name}`
  return option.default === null ? `--${name}, --no-${name}` : `--no-${name}`
}

function valueName(option: ValuedOption): string {
  switch (option.type) {
    case 'string':
    case 'list':
      return 'VALUE'
    case 'choice':
      return option.choices.join('|')
    case 'number':
      return 'N'
    case 'bytes':
      return 'SIZE'
    case 'duration':
      return 'TIME'
  }
}

function remark(option: ValuedOption): string {
  if (option.type === 'list') return ' (may be repeated)'
  if (option.required === true) return ' (required)'
  if (option.default === undefined) return ''
  return ` (default ${option.type === 'duration' ? wholeUnits(option.default) : option.default})`
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`

/** Two columns, the second wrapped at the edge of the terminal that everybody has. */
function table(rows: readonly Row[]): string[] {
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= widestLeft)
  const leftWidth = Math.max(0, ...fitting)
  const indent = ' '.repeat(leftWidth + 4)
  return rows.flatMap(([left, text]) => {
    const [first = '', ...more] = wrap(text, lineWidth - indent.length).map((line) => indent + line)
    if (left.length > leftWidth) return [`  ${left}`, first, ...more]
    return [`  ${left.padEnd(leftWidth)}  ${first.slice(indent.length)}`, ...more]
  })
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

const daySeconds = 86_400

/** Nobody thinks of 90 days as seconds. */
const wholeUnits = (seconds: number): string =>
  seconds >= daySeconds && seconds % daySeconds === 0 ? `${seconds / daySeconds}d` : `${seconds}s`
