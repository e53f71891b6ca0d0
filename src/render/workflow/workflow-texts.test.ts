import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  listedJobs,
  training,
  trainingDefinition,
  untouched,
} from '../../../test/golden/render/crafted-workflows.ts'
import { colourStyle, plainStyle } from '../text/style.ts'
import { runJson, workflowJson } from './workflow-json.ts'
import { workflowJobJson, workflowJobsText } from './workflow-jobs.ts'
import { workflowListText } from './workflow-list-text.ts'
import { workflowShowText, workflowStatusText } from './workflow-show-text.ts'

const golden = (name: string): string => `../../../test/golden/render/${name}.txt`
const run = {
  runId: 1,
  startedAt: Date.UTC(2025, 9, 15, 10) / 1000,
  endedAt: Date.UTC(2025, 9, 15, 12, 30) / 1000,
  host: 'node-7',
  outputDirectory: '/home/ada/out',
}

describe('workflowListText', () => {
  it('shows each workflow in a line, and no escapes of theirs', async () => {
    const text = workflowListText([untouched, training], [], plainStyle, 'utc')
    await expect(text).toMatchFileSnapshot(golden('workflow-list'))
    expect(text).not.toContain('\u001b')
  })

  it('shortens a long name where the terminal is narrow', () => {
    const named = { ...untouched, name: `begin${'n'.repeat(150)}end` }
    const lines = workflowListText([named], [], plainStyle, 'utc', 110).trimEnd().split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(110)
    expect(lines[1]).toMatch(/begin.*…n*end/)
  })

  it('counts what was cancelled or ran out of time apart from what failed', () => {
    const states = { ...untouched.states, failed: 1, cancelled: 1, timeout: 2 }
    const [header = '', line = ''] = workflowListText(
      [{ ...untouched, states }],
      [],
      plainStyle,
      'utc',
    ).split('\n')
    expect(header).toMatch(/Success +Failed +Timeout +Cancelled +Running/)
    expect(line).toMatch(/ 0 +1 +2 +1 +0 /)
  })

  it('says how to begin when there is nothing', () => {
    expect(workflowListText([], [], plainStyle, 'utc')).toBe(
      'No workflows yet. Create one: jobmeter workflows create-from-spec SPEC\n',
    )
  })
})

describe('workflowStatusText', () => {
  it('counts the jobs and says who runs it', async () => {
    const text = workflowStatusText(training, { isBeingRun: true, left: null }, plainStyle)
    await expect(text).toMatchFileSnapshot(golden('workflow-status'))
  })

  it('says what to do next', () => {
    const last = (head: typeof training, runs: boolean) =>
      workflowStatusText(head, { isBeingRun: runs, left: null }, plainStyle)
        .trimEnd()
        .split('\n')
        .at(-1)
    expect(last(training, false)).toBe(
      'What failed: jobmeter results list 12 --failed. Run the 1,005 left: jobmeter run-jobs 12',
    )
    expect(last(untouched, false)).toBe('Run the 3 left: jobmeter run-jobs 13')
    const done = { ...training, states: { ...untouched.states, waiting: 0, success: 7 } }
    expect(last(done, false)).toBe('All jobs succeeded. See jobmeter results list 12')
  })

  it('says of a runner that it has died', () => {
    expect(workflowStatusText(training, { isBeingRun: false, left: null }, plainStyle)).toContain(
      'Runner: process 900 on node-7, which has died\n',
    )
  })
})

describe('workflowShowText', () => {
  it('shows what the workflow is and what became of it', async () => {
    const runs = [run, { ...run, runId: 2, endedAt: null }]
    const shown = {
      head: training,
      workflow: trainingDefinition,
      runs,
      isBeingRun: true,
      left: null,
    }
    await expect(workflowShowText(shown, plainStyle, 'utc')).toMatchFileSnapshot(
      golden('workflow-show'),
    )
  })
})

describe('workflowJobsText', () => {
  it('shows each job in a line', async () => {
    await expect(workflowJobsText(listedJobs, new Map(), plainStyle)).toMatchFileSnapshot(
      golden('workflow-jobs'),
    )
  })

  it('colours the states without moving the columns', () => {
    const columns = (text: string) => text.split('\n').map((line) => line.indexOf('  1'))
    const coloured = workflowJobsText(listedJobs, new Map(), colourStyle)
    expect(coloured).toContain('\u001b[31mFAILED')
    const plain = stripVTControlCharacters(coloured)
    expect(columns(plain)).toEqual(columns(workflowJobsText(listedJobs, new Map(), plainStyle)))
  })
})

describe('JSON of workflows', () => {
  it('has the names people know', () => {
    expect(workflowJson(training)).toMatchObject({
      workflow_id: 12,
      created_at: '2025-10-15T09:00:00.000000Z',
      job_count: 1205,
      states: { waiting: 1000, success: 200 },
      runner: { host: 'node-7', pid: 900 },
    })
    expect(workflowJson(untouched)).toMatchObject({ latest_run_id: null, runner: null })
    expect(runJson({ ...run, endedAt: null })).toMatchObject({ run_id: 1, ended_at: null })
    expect(listedJobs.map(workflowJobJson)[1]).toMatchObject({
      job_id: 16,
      job_name: 'train_model',
      depends_on: ['preprocess_data'],
      resource_requirements: { cpus: 8, gpus: 1 },
      attempts: 2,
    })
  })
})
