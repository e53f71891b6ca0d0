import { noRequirements } from '../../src/model/job.ts'
import type { AttemptOrder } from '../../src/workflow/run/executor.ts'

/** A line of shell as an order to an executor. */
export const shellOrder = (
  taskId: string,
  script: string,
  differences: Partial<AttemptOrder> = {},
): AttemptOrder => ({
  taskId,
  command: ['sh', '-c', script],
  environment: { PATH: process.env['PATH'] },
  workingDirectory: '/',
  group: 'own',
  stdin: '/dev/null',
  stdout: '/dev/null',
  stderr: '/dev/null',
  intervalSeconds: 1,
  timeoutSeconds: null,
  memoryLimitBytes: null,
  graceSeconds: 20,
  stragglers: 'kill',
  ownCgroup: false,
  node: 'node01',
  requirements: noRequirements,
  besideCgroups: false,
  ...differences,
})
