import { describe, expect, it } from 'vitest'
import { stdioPath } from './stdio-path.ts'

describe('stdioPath', () => {
  const place = { workflowId: 1, jobId: 22, runId: 3, attempt: 4 }

  it('names workflow, job, run and attempt, and the stream', () => {
    expect(stdioPath('out', place, 'o')).toBe('out/job_stdio/job_1_22_3_4.o')
    expect(stdioPath('/data/out/', place, 'e')).toBe('/data/out/job_stdio/job_1_22_3_4.e')
  })

  it('stays at the root of the file system', () => {
    expect(stdioPath('/', place, 'o')).toBe('/job_stdio/job_1_22_3_4.o')
  })
})
