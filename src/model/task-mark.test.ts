import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outerTasksOf, taskEnvironment } from './task-mark.ts'

const id = fc.stringMatching(/^[0-9a-f]{32}$/)

const textOf = (environment: Record<string, string>): string =>
  Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\0`)
    .join('')

describe('the mark of a job', () => {
  it('names the attempts around it, however deep jobmeters run inside of each other', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), (ids) => {
        let environment: Record<string, string> = { PATH: '/bin' }
        for (const taskId of ids)
          environment = { ...environment, ...taskEnvironment(taskId, environment) }
        expect(environment['JOBMETER_TASK_ID']).toBe(ids.at(-1))
        expect(outerTasksOf(textOf(environment))).toEqual(ids.slice(0, -1))
      }),
    )
  })

  it('takes nothing from a variable that no jobmeter wrote', () => {
    expect(taskEnvironment('ab', { JOBMETER_TASK_ID: 'x;y' })).toEqual({ JOBMETER_TASK_ID: 'ab' })
    expect(outerTasksOf('NOT_JOBMETER_OUTER_TASKS=ab\0')).toEqual([])
  })
})
