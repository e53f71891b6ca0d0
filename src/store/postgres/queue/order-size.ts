import type { QueueSubmission } from '../../../model/queue.ts'
import { programOf } from './lanes.ts'
import { QueueError } from './queue-error.ts'

/** As the tables have it (`steps/bounds-1.ts`). */
const mostOrderBytes = 2 ** 20
const mostNameBytes = 2 ** 14

/** Says which job the queue cannot hold, and why, before the database refuses all that come with it. */
export function refuseTooLarge(submissions: readonly QueueSubmission[]): void {
  for (const { order } of submissions) {
    const { name, tool, image, labels } = order
    for (const text of [name, tool, image, programOf(order), JSON.stringify(labels)])
      if (Buffer.byteLength(text) > mostNameBytes)
        throw new QueueError('too-large', `${text.slice(0, 40)}… is longer than 16 KiB`)
    if (Buffer.byteLength(JSON.stringify(order)) > mostOrderBytes)
      throw new QueueError(
        'too-large',
        `the command of ${name}, its variables and its parameters have more than 1 MiB together: put them into a file`,
      )
  }
}
