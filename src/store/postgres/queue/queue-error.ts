/** What a queue cannot do, for people to be told. */
export class QueueError extends Error {
  readonly code: 'draining' | 'too-large' | 'unknown-job' | 'ambiguous-job' | 'lease-lost'

  constructor(code: QueueError['code'], detail = '') {
    super(words[code](detail))
    this.name = 'QueueError'
    this.code = code
  }
}

const words = {
  draining: () => 'the queue is being drained and takes no jobs; jobmeter queue resume opens it',
  'too-large': (why: string) => `the queue does not take a job: ${why}`,
  'unknown-job': (id: string) => `the queue has no job ${id}`,
  'ambiguous-job': (id: string) => `several jobs of the queue have ids that begin with ${id}`,
  'lease-lost': () => 'this worker was silent for too long: its jobs were given to others',
} as const
