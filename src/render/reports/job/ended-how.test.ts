import { describe, expect, it } from 'vitest'
import { poisson } from '../../../../test/golden/render/crafted-records.ts'
import { jobReport } from '../../../analysis/job/job-report.ts'
import type { JobRecord } from '../../../model/record.ts'
import { plainStyle } from '../../text/style.ts'
import { jobReportJson } from './json.ts'
import { jobReportMarkdown } from './markdown.ts'
import { noAdvice } from './rows.ts'
import { jobReportText } from './text.ts'

const ended = (facts: Partial<JobRecord>) =>
  jobReportJson(jobReport({ ...poisson, reason: null, signal: null, ...facts }, []))

describe('a report of a job', () => {
  it.each([
    ['failed', { status: 'failed', exitCode: 7 }, 'exited with code 7'],
    ['was killed', { status: 'failed', exitCode: 137, signal: 'SIGKILL' }, 'ended by SIGKILL'],
    [
      'did not write a file',
      { status: 'failed', exitCode: 0, reason: 'declared output missing: bb.txt' },
      'declared output missing: bb.txt',
    ],
    [
      'ran out of memory',
      { status: 'failed', exitCode: 137, signal: 'SIGKILL', reason: 'out of memory: killed' },
      'out of memory: killed',
    ],
    [
      'succeeded with a warning',
      { status: 'success', exitCode: 0, reason: 'declared output missing: bb.txt' },
      'declared output missing: bb.txt',
    ],
  ] as const)('that %s opens with why', (_, facts, words) => {
    const report = ended(facts)
    const [head, why] = jobReportText(report, null, plainStyle).split('\n')
    expect(head).toMatch(/(FAILED|SUCCESS) in /)
    expect(why).toBe(`  ${words}`)
    expect(jobReportMarkdown(report)).toContain(`: ${words}\n`)
  })

  it('says nothing more where a job simply succeeded', () => {
    const text = jobReportText(ended({ status: 'success', exitCode: 0 }), null, plainStyle)
    expect(text.split('\n')[1]).toBe('')
  })

  it('says only of what a job used that nothing stands out, where it failed', () => {
    expect(noAdvice(ended({ status: 'success', exitCode: 0 }))).toBe('Nothing stands out.')
    expect(noAdvice(ended({ status: 'failed', exitCode: 7 }))).toBe(
      'Nothing stands out in what it used.',
    )
  })
})
