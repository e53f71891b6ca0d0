import { describe, expect, it } from 'vitest'
import { readWorkerRules, usualRules } from './read-worker-rules.ts'

const kind = { user: 'ada', tool: 'fenicsx', program: 'python3', image: '' }

function rules(text: string) {
  const read = readWorkerRules(text, 'worker.yaml', 'ada')
  if (read.kind !== 'ok') throw new Error(read.errors.map(({ message }) => message).join('\n'))
  return read.value
}

describe('the rules of a worker', () => {
  it('let it run the jobs of its own user, where nobody says otherwise', () => {
    expect(usualRules('ada')(kind)).toBeUndefined()
    expect(usualRules('bob')(kind)).toBe('this worker accepts no jobs of ada')
    expect(rules('tools: [fenicsx]')({ ...kind, user: 'bob' })).toContain('no jobs of bob')
  })

  it('limit users, tools, commands and images', () => {
    const limited = rules(
      'users: [ada, bob]\ntools: [fenicsx]\ncommands: [python3]\nimages: [good]\n',
    )
    expect(limited({ ...kind, user: 'bob' })).toBeUndefined()
    expect(limited({ ...kind, user: 'eve' })).toContain('eve')
    expect(limited({ ...kind, tool: 'rm' })).toBe('this worker does not run the tool rm')
    expect(limited({ ...kind, program: 'sh' })).toBe('this worker does not run sh')
    expect(limited({ ...kind, image: 'good' })).toBeUndefined()
    expect(limited({ ...kind, image: 'bad' })).toBe('this worker does not run the image bad')
  })

  it('rule out a program by its name alone only where no file can be meant', () => {
    const limited = rules('commands: [/opt/sim, python3]')
    for (const program of ['sim', '/usr/opt/sim', 'python3', '/usr/bin/python3'])
      expect(limited({ ...kind, program })).toBeUndefined()
    expect(limited({ ...kind, program: '/opt/sim/other' })).toContain('does not run')
  })

  it('accept everybody only where that is said', () => {
    expect(rules("users: ['*']")({ ...kind, user: 'eve' })).toBeUndefined()
  })

  it('tell what is wrong with their file', () => {
    const read = readWorkerRules('usres: [ada]\n', 'worker.yaml', 'ada')
    expect(read).toMatchObject({
      kind: 'invalid',
      errors: [{ line: 1, path: 'usres', suggestion: expect.stringContaining('users') }],
    })
  })
})
