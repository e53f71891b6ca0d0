import { randomBytes } from 'node:crypto'
import type { QueueSubmission } from '../../src/model/queue.ts'

export const newId = (): string => randomBytes(16).toString('hex')

/** A job of ada's that does nothing. */
export const submission = (
  differences: Partial<QueueSubmission> = {},
  cpus = 1,
): QueueSubmission => ({
  id: newId(),
  user: 'ada',
  priority: 0,
  retries: 0,
  interruptions: 3,
  after: null,
  order: {
    name: 'true',
    tool: 'true',
    script: null,
    params: {},
    tags: [],
    command: ['true'],
    workingDirectory: '/',
    requirements: { cpus, memoryBytes: null, gpus: null, runtimeSeconds: null },
    environment: {},
    labels: [],
    image: '',
    timeoutSeconds: null,
    memoryLimitBytes: null,
    graceSeconds: 10,
    intervalSeconds: 1,
  },
  ...differences,
})
