import { describe, expect, it } from 'vitest'
import { checkMeasure } from './measure-input.ts'

describe('what is given to measure', () => {
  it.each([
    ['sleep 1', {}, `the command must be a list of texts, such as ['sleep', '1'], not "sleep 1"`],
    [['sleep', 1], {}, 'not ["sleep",1]'],
    [[], {}, 'not []'],
    [undefined, {}, 'not undefined'],
    [['a\0b'], {}, 'the command must be'],
    [['true'], { tags: 'abc' }, 'tags must be a list of texts, not "abc"'],
    [['true'], { params: { a: 1n } }, 'params must be an object that can be written as JSON'],
    [['true'], { timeoutSeconds: Number.NaN }, 'timeoutSeconds must be a number above 0, not NaN'],
    [['true'], { timeoutSeconds: -1 }, 'timeoutSeconds must be a number above 0, not -1'],
    [['true'], { memoryLimitBytes: -5 }, 'memoryLimitBytes must be a number above 0, not -5'],
    [['true'], { intervalSeconds: 0 }, 'intervalSeconds must be a number of 0.01 or more, not 0'],
    [['true'], { stragglers: 'end' }, `stragglers must be 'leave', 'wait' or 'kill', not "end"`],
    [['true'], { requirements: { cpus: 'x' } }, 'requirements must be an object of numbers'],
    [['true'], { requirements: { memoryBytes: Number.NaN } }, 'requirements must be'],
    [['true'], { environment: { A: 5 } }, 'environment must be an object of texts'],
    [['true'], { signal: {} }, 'signal must be an AbortSignal, not {}'],
    [['true'], null, 'options must be an object, not null'],
    [['true'], { nmae: 'x' }, 'no option is called "nmae". Did you mean name?'],
    [['true'], { cwd: '/' }, 'no option is called "cwd".'],
  ])('%j with %o is refused', (command, options, message) => {
    expect(() => checkMeasure(command, options)).toThrow(TypeError)
    expect(() => checkMeasure(command, options)).toThrow(message)
  })

  it('may be anything that makes sense', () => {
    const { signal } = new AbortController()
    const options = {
      tags: ['a'],
      params: { mesh: 64 },
      timeoutSeconds: 5e6,
      signal,
      name: undefined,
    }
    expect(() => checkMeasure(['true', ''], options)).not.toThrow()
  })
})
