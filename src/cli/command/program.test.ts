import { describe, expect, it } from 'vitest'
import { parseProgram } from './program.ts'

const names = ['run', 'job-history', 'history', 'doctor']

describe('parseProgram', () => {
  it.each([
    [['run', '--', 'make'], 'run', ['--', 'make']],
    [['--format', 'json', 'job-history'], 'job-history', ['--format', 'json']],
    [
      ['--format=json', '--db', 'x', 'history', '-n', '3'],
      'history',
      ['--format=json', '--db', 'x', '-n', '3'],
    ],
    [['help', 'run'], 'run', ['--help']],
    [['--db', 'run', 'run', 'make'], 'run', ['--db', 'run', 'make']],
  ])('finds the command in %j', (argv, name, rest) => {
    expect(parseProgram(argv, names)).toEqual({ kind: 'command', name, argv: rest })
  })

  it.each([[[]], [['--help']], [['-h']], [['help']], [['--format', 'json', '-h']]])(
    'answers %j with the help',
    (argv) => {
      expect(parseProgram(argv, names)).toEqual({ kind: 'help' })
    },
  )

  it.each([[['--version']], [['-V', 'run']]])('answers %j with the version', (argv) => {
    expect(parseProgram(argv, names)).toEqual({ kind: 'version' })
  })

  it('names the group of a command that was given without it', () => {
    expect(parseProgram(['plan', 'x.yaml'], names, 'jobmeter', { plan: 'workflows plan' })).toEqual(
      {
        kind: 'error',
        message: 'unknown command plan. Did you mean jobmeter workflows plan?',
        exitCode: 2,
      },
    )
  })

  it('names the command that an option of a group of one is for', () => {
    expect(parseProgram(['--failed'], ['list'], 'jobmeter results')).toMatchObject({
      message: 'unknown option --failed. Did you mean jobmeter results list --failed?',
    })
  })

  it.each([
    [['hystory'], 'unknown command hystory. Did you mean history?'],
    [
      ['potato'],
      'unknown command potato. See jobmeter --help. To measure a program: jobmeter run -- potato',
    ],
    [
      ['sleep', '3'],
      'unknown command sleep. See jobmeter --help. To measure a program: jobmeter run -- sleep …',
    ],
    [
      ['--', 'sleep', '1'],
      'no command given before --. To measure a program: jobmeter run -- sleep …',
    ],
    [['help', 'rnu'], 'unknown command rnu. Did you mean run?'],
    [['--fromat', 'json', 'run'], 'unknown option --fromat. Did you mean --format?'],
    [['--quiet', 'run'], 'unknown option --quiet. Put the options of a command after its name.'],
    [['--format', 'json'], 'no command given. See jobmeter --help'],
    [['--db'], 'no command given. See jobmeter --help'],
  ])('says what is wrong with %j', (argv, message) => {
    expect(parseProgram(argv, names)).toEqual({ kind: 'error', message, exitCode: 2 })
  })
})
