import { describe, expect, it } from 'vitest'
import type { AlertNotice } from '../model/alert.ts'
import { noticeLine } from './notice-words.ts'

const notice = (job: string, text: string): AlertNotice => ({
  id: '1',
  alertId: '2',
  kind: 'firing',
  rule: 'job-failed',
  severity: 'critical',
  text,
  metric: 'exit_code',
  value: null,
  threshold: null,
  subject: { host: 'node1', job, taskId: '3', gpu: null },
  at: 0,
  firedAt: 0,
})

describe('a notice in one line', () => {
  it('is one line, whatever a job is called', () => {
    const line = noticeLine(notice('a\n[resolved] all is well\u001b[31m', 'failed:\r\nx\u2028y'))
    expect(line).toBe('[critical] failed: x y (job a [resolved] all is well [31m, on node1)')
  })

  it('is not longer than a chat takes', () => {
    expect(noticeLine(notice('L'.repeat(3500), 'x'.repeat(9000))).length).toBeLessThan(1300)
  })
})
