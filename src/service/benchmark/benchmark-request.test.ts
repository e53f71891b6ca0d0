import { describe, expect, it } from 'vitest'
import { benchmarkRequest } from './benchmark-request.ts'

const request = (saveBaseline: string) =>
  benchmarkRequest(['true'], { saveBaseline }, { showOutput: false, onProblem: () => {} })

describe('the name of a baseline', () => {
  it.each(['1', '007', 'last', 'LAST', '', ' '])(
    'is not %j, which means something else',
    (name) => {
      expect(() => request(name)).toThrow('cannot name a baseline')
    },
  )

  it.each(['v1', '2026-11', 'last-week', 'main'])('may be %j', (name) => {
    expect(request(name).saveBaseline).toBe(name)
  })
})
