import type { QueueState } from '../../model/queue.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { addressAsked } from './address.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { queueOptions } from './queue-options.ts'

/** A command that puts the queue into another state. */
export function stateCommand(
  name: 'pause' | 'resume' | 'drain',
  state: QueueState,
  words: { readonly summary: string; readonly description: string; readonly done: string },
) {
  const definition = defineCommand({
    name: `queue ${name}`,
    aliases: [],
    summary: words.summary,
    usage: `queue ${name} [options]`,
    description: words.description,
    arguments: [],
    options: queueOptions,
    examples: [`jobmeter queue ${name}`],
  })
  return commandAction(definition, ({ options, console }) =>
    withQueue(addressAsked(options.db), async (queue) => {
      await queue.setState(state)
      if (options.format === 'json') console.print(`${jsonText({ state }, 2)}\n`)
      else console.note(`${words.done}\n`)
      return 0
    }),
  )
}
