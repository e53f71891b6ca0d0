import { expect, it } from 'vitest'
import { noticeOf } from './violation-notices.ts'

it('calls a job as it can be typed', () => {
  const job = { epoch: 'first boot', kind: 'slurm', id: '4711', command: 'python3' } as const
  const notice = noticeOf(
    {
      id: 1,
      policy: 'cpuhog',
      severity: 'warning',
      subject: { host: 'node01', user: 'ada', account: null, job },
      firstSeen: 100,
      lastSeen: 200,
      heldSeconds: 100,
      text: 'keeps cores busy',
      suppressedBecause: null,
      reportedAt: null,
      resolvedAt: null,
      resolvedBecause: null,
    },
    undefined,
  )
  expect(notice.subject).toMatchObject({ job: 'python3 (slurm:4711) of ada', taskId: 'slurm:4711' })
})
