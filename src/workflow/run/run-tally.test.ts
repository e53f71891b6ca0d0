import { expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import type { JobRecord } from '../../model/record.ts'
import type { Attempt } from './attempt.ts'
import { RunTally } from './run-tally.ts'

/** All that is looked at of an attempt. */
const attempt = {
  stored: { jobId: 1, job: { name: 'train' } },
  identity: { workflowId: 1, runId: 1, jobId: 1, attempt: 1, outputDirectory: 'out' },
} as Attempt

it.each<[string, Partial<JobRecord>]>([
  ['exited with code 3', { status: 'failed', exitCode: 3 }],
  ['ended by SIGKILL', { status: 'failed', exitCode: 137, signal: 'SIGKILL' }],
  ['timed out', { status: 'timeout', exitCode: 124 }],
  ['interrupted', { status: 'interrupted', exitCode: null }],
  ['could not be run', { status: 'error', exitCode: null }],
  ['disk full', { status: 'failed', exitCode: 1, reason: 'disk full' }],
])('says of a job that did not succeed: %s', (reason, facts) => {
  const tally = new RunTally([])
  tally.addEnd(attempt, { ...poisson, reason: null, signal: null, ...facts })
  expect(tally.failures).toMatchObject([{ name: 'train', reason }])
})

it.each(['success', 'failed'] as const)('names what a job has left that is over (%s)', (status) => {
  const tally = new RunTally([])
  const stragglers = [{ pid: 7, command: 'container db of image' }]
  tally.addEnd(attempt, { ...poisson, status, reason: null, stragglers })
  expect(tally.warnings).toEqual([
    { name: 'train', jobId: 1, text: 'left behind: container db of image' },
  ])
})
