import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineCommand, globalOptions } from './define.ts'
import { helpText, programHelpText } from './help.ts'

const history = defineCommand({
  name: 'job-history',
  aliases: ['history'],
  summary: 'lists the jobs that ran, newest first',
  usage: 'job-history [options] [TAG]',
  arguments: [{ name: 'tag', required: false, says: 'only jobs with this tag' }],
  options: {
    limit: { type: 'number', short: 'n', default: 10, says: 'how many' },
    since: { type: 'string', value: 'WHEN', required: true, says: 'only later ones' },
    'longer-than': { type: 'duration', default: 5, says: 'only longer ones' },
    'larger-than-so-many-bytes': { type: 'bytes', says: 'only larger ones' },
    tool: { type: 'list', says: 'only of this tool' },
    totals: { type: 'boolean', default: true, says: 'no line of totals' },
    ...globalOptions,
  },
  examples: ['jobmeter history --limit 3'],
})

describe('helpText', () => {
  it('shows usage, arguments, aligned options and examples', () => {
    expect(helpText(history)).toBe(`Usage: jobmeter job-history [options] [TAG]

lists the jobs that ran, newest first

Short: jobmeter history

Arguments:
  TAG  only jobs with this tag

Options:
  -n, --limit N            how many (default 10)
      --since WHEN         only later ones (required)
      --longer-than TIME   only longer ones (default 5s)
      --larger-than-so-many-bytes SIZE
                           only larger ones
      --tool VALUE         only of this tool (may be repeated)
      --no-totals          no line of totals
      --format table|json  output format (default table)
      --db PATH            the ledger to use instead of $JOBMETER_DB or the
                           default one; for questions also a team ledger: team,
                           or postgres://…
  -h, --help               show this help

Examples:
  jobmeter history --limit 3
`)
  })

  it('keeps to 80 columns and loses no word, however much there is to say', () => {
    const says = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(says, fc.stringMatching(/^[a-z]{1,30}$/), (words, name) => {
        const text = helpText({
          ...history,
          arguments: [],
          options: { [name]: { type: 'boolean', says: words.join(' ') } },
          examples: [],
        })
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
        const block = text.slice(text.indexOf(`--${name}`) + name.length + 2, text.indexOf('-h, '))
        expect(block.trim().split(/\s+/)).toEqual(words)
      }),
    )
  })
})

describe('programHelpText', () => {
  it('lists the commands with their short names', () => {
    const commands = [
      { name: 'run', aliases: [], summary: 'runs a command' },
      { name: 'job-history', aliases: ['history'], summary: 'lists jobs' },
    ]
    expect(programHelpText('says what jobs used', commands)).toBe(`Usage: jobmeter COMMAND [options]

says what jobs used

Commands:
  run                   runs a command
  job-history, history  lists jobs

Run jobmeter COMMAND --help for more about one of them.
`)
  })
})
