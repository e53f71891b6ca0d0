import { describe, expect, it } from 'vitest'
import { runEndText, type RunEnd } from './run-end-text.ts'
import { plainStyle } from '../text/style.ts'

const good: RunEnd = {
  workflowId: 3,
  runId: 1,
  specPath: '/data/my pipeline.yaml',
  outputDirectory: '/data/output',
  durationSeconds: 12.34,
  states: { success: 4, failed: 0 },
  failures: [],
  failureCount: 0,
  warnings: [],
  usedCoreSeconds: 5400,
  usedIsLowerBound: false,
  requestedCoreSeconds: 14_400,
  stopped: null,
}

const failure = {
  name: 'train',
  status: 'failed',
  reason: 'exited with code 3',
  stderrPath: '/data/output/job_stdio/job_3_1_1_1.e',
  lastLines: ['Traceback', 'ValueError: no\u001b[31m data'],
}

describe('the end of a run', () => {
  it('says what was done, used and is next', () => {
    expect(runEndText(good, 'pipeline', plainStyle)).toMatchInlineSnapshot(`
      "
      ✓ pipeline  4 of 4 jobs succeeded in 12.3 s
      Jobs        4 success
      Core-hours  1.50 used, 4.00 held by requests (cores × time)
      Logs        /data/output/job_stdio
      Next        jobmeter results list 3
      "
    `)
  })

  it('says what failed and why, and where more is', () => {
    const end = {
      ...good,
      states: { success: 1, failed: 7, cancelled: 2 },
      failures: [failure],
      failureCount: 7,
      usedCoreSeconds: 9,
      usedIsLowerBound: true,
      requestedCoreSeconds: 0,
    }
    expect(runEndText(end, 'pipe\u0007line', plainStyle)).toMatchInlineSnapshot(`
      "
      ✗ pipe\\x07line  1 of 10 jobs succeeded in 12.3 s
      Jobs        1 success, 7 failed, 2 cancelled
      Core-hours  at least 0.0025 used
      Logs        /data/output/job_stdio
      ✗ train: failed, exited with code 3  /data/output/job_stdio/job_3_1_1_1.e
          Traceback
          ValueError: no\\x1b[31m data
        and 6 more: jobmeter results list 3 --failed
      Next        jobmeter results list 3 --failed; fix it; jobmeter run '/data/my pipeline.yaml' --resume 3
      "
    `)
  })

  it('says why it stopped', () => {
    const end = { ...good, states: { success: 1, waiting: 3 }, stopped: 'stopped by SIGINT' }
    expect(runEndText(end, 'pipeline', plainStyle)).toMatchInlineSnapshot(`
      "
      ✗ pipeline  1 of 4 jobs succeeded in 12.3 s
      stopped by SIGINT
      Jobs        1 success, 3 waiting
      Core-hours  1.50 used, 4.00 held by requests (cores × time)
      Logs        /data/output/job_stdio
      Next        jobmeter run --resume 3
      "
    `)
  })
})
