import { queueShareText } from '../../render/queue/queue-share.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { UserError } from '../../service/user-error.ts'
import { changeShare, queueShares } from '../../store/postgres/queue/shares.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { addressAsked } from './address.ts'
import { queueOptions } from './queue-options.ts'

const definition = defineCommand({
  name: 'queue share',
  aliases: [],
  summary: 'Shows or changes how the queue is shared between users.',
  usage: 'queue share [USER [WEIGHT]] [options]',
  description:
    'Among jobs of the same priority, the user comes first who has the fewest cores in use, divided by the weight of the user. Everybody has the weight 1 unless an administrator says otherwise: with a weight of 2, somebody gets twice as many cores as others while all of them wait for some. Only administrators of the team may change weights.',
  arguments: [
    { name: 'user', required: false, says: 'whose weight; without it, all that were changed' },
    { name: 'weight', required: false, says: 'the new weight, a number above 0' },
  ],
  options: queueOptions,
  examples: [
    'jobmeter queue share',
    'jobmeter queue share ada',
    'jobmeter queue share ada 2',
    'jobmeter queue share ada 1 --format json',
  ],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const weight = given.weight === undefined ? undefined : weightIn(given.weight)
  return withQueue(addressAsked(options.db), async (queue) => {
    if (given.user !== undefined && weight !== undefined)
      await changeShare(queue.database, given.user, weight)
    const shares = await queueShares(queue.database, given.user)
    console.print(options.format === 'json' ? `${jsonText(shares, 2)}\n` : queueShareText(shares))
    return 0
  })
})

function weightIn(text: string): number {
  const weight = text.trim() === '' ? Number.NaN : Number(text)
  if (weight > 0 && weight < Infinity) return weight
  throw new UserError(`a weight is a number above 0, such as 2 or 0.5, and not ${text}`, 'usage')
}
