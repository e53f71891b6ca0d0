import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineCommand, globalOptions } from './define.ts'
import { parseCommand } from './parse.ts'

const run = defineCommand({
  name: 'run',
  aliases: [],
  summary: 'runs',
  usage: 'run [options] -- COMMAND [ARG…]',
  arguments: [{ name: 'command', required: true, variadic: true, says: 'what to run' }],
  options: {
    name: { type: 'string', short: 'n', value: 'NAME', says: 'a name' },
    param: { type: 'list', value: 'K=V', example: 'rate=0.1', says: 'a parameter' },
    cpus: { type: 'number', min: 0.5, max: 512, says: 'cores it asks for' },
    memory: { type: 'bytes', says: 'memory it asks for' },
    timeout: { type: 'duration', says: 'ends it then' },
    interval: { type: 'duration', default: 1, min: 0.01, says: 'between looks' },
    series: { type: 'boolean', default: true, says: 'keep no samples' },
    'no-monitor': { type: 'boolean', says: 'do not watch' },
    quiet: { type: 'boolean', short: 'q', says: 'no summary' },
    stragglers: {
      type: 'choice',
      choices: ['leave', 'kill', 'wait'],
      also: { 'end them': 'kill' },
      default: 'leave',
      says: 'what to do with them',
    },
    ...globalOptions,
  },
  examples: ['jobmeter run -- make -j8'],
  passthrough: true,
})

const show = defineCommand({
  name: 'show',
  aliases: [],
  summary: 'shows',
  usage: 'show ID [OTHER]',
  arguments: [
    { name: 'id', required: true, says: 'which' },
    { name: 'other', required: false, says: 'and which' },
  ],
  options: { limit: { type: 'number', whole: true, min: 1, default: 10, says: 'how many' } },
  examples: ['jobmeter show last'],
})

const list = defineCommand({
  name: 'list',
  aliases: [],
  summary: 'lists',
  usage: 'list',
  arguments: [],
  options: {
    name: { type: 'list', commas: true, says: 'which' },
    host: { type: 'list', commas: 'always', says: 'where' },
    status: { type: 'list', commas: true, choices: ['done', 'failed'], says: 'how' },
  },
  examples: [],
})

const watch = defineCommand({
  name: 'watch',
  aliases: [],
  summary: 'watches',
  usage: 'watch --pid N',
  arguments: [],
  options: { pid: { type: 'number', required: true, whole: true, min: 1, says: 'which process' } },
  examples: [],
})

function parsedRun(...argv: string[]) {
  const result = parseCommand(run, argv)
  if (result.kind !== 'ok') throw new Error(JSON.stringify(result))
  return result
}

describe('values', () => {
  it('has a typed value for every option of the table', () => {
    const { options, arguments: words } = parsedRun('true')
    expectTypeOf(options.name).toEqualTypeOf<string | undefined>()
    expectTypeOf(options.param).toEqualTypeOf<readonly string[]>()
    expectTypeOf(options.memory).toEqualTypeOf<number | undefined>()
    expectTypeOf(options.interval).toEqualTypeOf<number>()
    expectTypeOf(options.series).toEqualTypeOf<boolean>()
    expectTypeOf(options.stragglers).toEqualTypeOf<'leave' | 'kill' | 'wait'>()
    expectTypeOf(words.command).toEqualTypeOf<readonly string[]>()
    expect(options).toEqual({
      name: undefined,
      param: [],
      cpus: undefined,
      memory: undefined,
      timeout: undefined,
      interval: 1,
      series: true,
      'no-monitor': false,
      quiet: false,
      stragglers: 'leave',
      format: 'table',
      db: undefined,
    })
  })

  it.each([[['--name', 'x']], [['--name=x']], [['-n', 'x']], [['-n=x']]])('reads %j', (argv) => {
    expect(parsedRun(...argv, '--', 'true').options.name).toBe('x')
  })

  it('reads sizes, times and numbers', () => {
    const { options } = parsedRun('--memory', '8GiB', '--timeout=1h30m', '--cpus', '2.5', 'true')
    expect(options).toMatchObject({ memory: 8 * 1024 ** 3, timeout: 5400, cpus: 2.5 })
  })

  it('gathers what may be repeated, and otherwise the last one counts', () => {
    const { options } = parsedRun('--param', 'a=1', '--param=b==2', '-n', 'x', '-n', 'y', 'true')
    expect(options.param).toEqual(['a=1', 'b==2'])
    expect(options.name).toBe('y')
  })

  it('turns off what is on by default, and on again', () => {
    expect(parsedRun('--no-series', 'true').options.series).toBe(false)
    expect(parsedRun('--no-series', '--series', 'true').options.series).toBe(true)
    expect(parsedRun('--no-monitor', 'true').options['no-monitor']).toBe(true)
  })

  it('takes an empty value and a lone dash as values', () => {
    expect(parsedRun('--name=', 'true').options.name).toBe('')
    expect(parsedRun('--db', '-', 'true').options.db).toBe('-')
  })
})

describe('arguments', () => {
  it('places them by name, options before or after', () => {
    const result = parseCommand(show, ['a', '--limit', '3', 'b'])
    expect(result).toEqual({
      kind: 'ok',
      options: { limit: 3 },
      arguments: { id: 'a', other: 'b' },
    })
    expect(parseCommand(show, ['a'])).toMatchObject({ arguments: { id: 'a', other: undefined } })
  })

  it('takes what follows -- for arguments', () => {
    expect(parseCommand(show, ['--', '--limit'])).toMatchObject({ arguments: { id: '--limit' } })
  })

  it('leaves the command of a job alone, whatever it holds', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('--', '-h', '--help', '--name', '-n', '--memroy', '--quiet', '--=', '-'),
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (command) => {
        expect(parsedRun('-q', '--', ...command).arguments.command).toEqual(command)
      }),
    )
    fc.assert(
      fc.property(fc.array(word), (rest) => {
        expect(parsedRun('-n', 'x', 'make', ...rest).arguments.command).toEqual(['make', ...rest])
      }),
    )
  })
})

describe('several values', () => {
  const read = (...argv: string[]) => {
    const result = parseCommand(list, argv)
    if (result.kind !== 'ok') throw new Error(JSON.stringify(result))
    expectTypeOf(result.options.status).toEqualTypeOf<readonly ('done' | 'failed')[]>()
    return result.options
  }

  it('come with commas, repeated or both; a name may have a comma in it', () => {
    expect(read()).toEqual({ name: [], host: [], status: [] })
    expect(read('--status', 'done, failed')).toMatchObject({ status: ['done', 'failed'] })
    expect(read('--status=DONE', '--status', 'Failed,')).toMatchObject({
      status: ['done', 'failed'],
    })
    expect(read('--name', 'a,b', '--name', 'c')).toMatchObject({ name: ['a,b', 'a', 'b', 'c'] })
    expect(read('--host', 'a,b', '--host', 'c')).toMatchObject({ host: ['a', 'b', 'c'] })
  })

  it('are the same choices in any case', () => {
    expect(parsedRun('--stragglers', 'KILL', 'x').options.stragglers).toBe('kill')
    expect(parsedRun('--stragglers', 'End them', 'x').options.stragglers).toBe('kill')
  })
})

describe('help', () => {
  it.each([[['--help']], [['-h']], [['-q', '--help', '--', 'true']], [['--memroy', '--help']]])(
    'is what %j asks for',
    (argv) => {
      expect(parseCommand(run, argv)).toEqual({ kind: 'help' })
    },
  )

  it("is the job's own after the command began", () => {
    expect(parsedRun('make', '--help').arguments.command).toEqual(['make', '--help'])
  })
})

describe('errors', () => {
  it.each([
    [run, ['--memroy', '4g'], 'unknown option --memroy. Did you mean --memory?'],
    [run, ['--no-seris'], 'unknown option --no-seris. Did you mean --no-series?'],
    [run, ['--no-quiet', 'x'], 'unknown option --no-quiet.'],
    [run, ['--potato=1', 'x'], 'unknown option --potato.'],
    [run, ['-z', 'x'], 'unknown option -z.'],
    [run, ['--constructor', 'x'], 'unknown option --constructor.'],
    [run, ['--__proto__=1', 'x'], 'unknown option --__proto__.'],
    [run, ['--quiet=yes', 'x'], '--quiet does not take a value.'],
    [run, ['--memory'], '--memory needs a value. Example: --memory 8GiB'],
    [
      list,
      ['--status', 'done,faled'],
      '--status faled is not one of done, failed. Did you mean failed?',
    ],
    [list, ['--status', ','], '--status , is not one of done, failed.'],
    [run, ['--memory', '--quiet'], '--memory needs a value. Example: --memory 8GiB'],
    [run, ['--param', '--', 'x'], '--param needs a value. Example: --param rate=0.1'],
    [
      run,
      ['--memory', '4 potatoes', 'x'],
      '--memory "4 potatoes" is not a size. Example: --memory 8GiB',
    ],
    [run, ['--memory=', 'x'], '--memory "" is not a size. Example: --memory 8GiB'],
    [run, ['--timeout', 'P1M', 'x'], '--timeout P1M is not a duration. Example: --timeout 1h30m'],
    [run, ['--cpus', '1e3', 'x'], '--cpus 1e3 is not a number. Example: --cpus 1'],
    [run, ['--cpus', '-5', 'x'], '--cpus -5 is too small: the minimum is 0.5.'],
    [run, ['--cpus', '513', 'x'], '--cpus 513 is too large: the maximum is 512.'],
    [
      run,
      ['--stragglers', 'kil', 'x'],
      '--stragglers kil is not one of leave, kill, wait. Did you mean kill?',
    ],
    [run, ['--format', 'xml', 'x'], '--format xml is not one of table, json.'],
    [
      run,
      ['--stragglers', 'constructor', 'x'],
      '--stragglers constructor is not one of leave, kill, wait.',
    ],
    [run, ['-q'], 'run needs COMMAND. For example: jobmeter run -- make -j8'],
    [run, ['-q', '--'], 'run needs COMMAND. For example: jobmeter run -- make -j8'],
    [show, [], 'show needs ID. For example: jobmeter show last'],
    [show, ['a', 'b', 'c'], 'show does not take "c". Usage: jobmeter show ID [OTHER]'],
    [show, ['a', '--limit', '2.5'], '--limit 2.5 is not a whole number. Example: --limit 10'],
    [watch, [], 'watch needs --pid. Example: --pid 1'],
    [watch, ['x', '--pid', '7'], 'watch does not take "x". Usage: jobmeter watch --pid N'],
  ])('%#: says what is wrong and what would be right', (definition, argv, message) => {
    expect(parseCommand(definition, argv)).toEqual({ kind: 'error', message, exitCode: 2 })
  })

  it('never throws and never passes an option that is not in the table', () => {
    const token = fc.oneof(
      fc.string(),
      fc.constantFrom('--limit', '--limit=3', '-', '--', '-1', '--no-limit', 'last', '3'),
    )
    fc.assert(
      fc.property(fc.array(token), (argv) => {
        const result = parseCommand(show, argv)
        if (result.kind !== 'ok') return
        expect(Object.keys(result.options)).toEqual(['limit'])
        expect(Number.isInteger(result.options.limit) && result.options.limit >= 1).toBe(true)
        expect(typeof result.arguments.id).toBe('string')
      }),
    )
  })
})
