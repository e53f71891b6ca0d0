import { expect, it } from 'vitest'
import { workflowOf } from '../../web/pages/job/workflow-of.ts'

it('knows the workflow of a job that is in no list, by its record', () => {
  expect(workflowOf({ workflow_id: 7 }, undefined)).toBe(7)
  expect(workflowOf({ workflow_id: null }, undefined)).toBe(null)
})

it('takes it from a list where the record does not have it', () => {
  expect(workflowOf({}, { workflow_id: 3 })).toBe(3)
  expect(workflowOf({}, { workflow_id: null })).toBe(null)
})

it('does not take a job for a single command because it is in no list', () => {
  expect(workflowOf({}, undefined)).toBe(undefined)
})
