import { consoleLine } from '../../alert/channels/console.ts'
import { send } from '../../alert/channels/send.ts'
import type { AlertNotice } from '../../model/alert.ts'
import { didYouMean } from '../../model/suggest.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { channelDoor } from '../../service/alerts/channel-door.ts'
import { UserError } from '../../service/user-error.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { alertsOption } from '../command/alerts-option.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { alertFileAsked } from './alerts-option.ts'

const definition = defineCommand({
  name: 'alerts test',
  aliases: [],
  summary: 'Sends a test alert by a channel, once and at once, and says how that went.',
  usage: 'alerts test CHANNEL [options]',
  description: 'The exit code is 0 if the channel took it, and 1 if not.',
  arguments: [{ name: 'channel', required: true, says: 'the name of a channel in the alert file' }],
  options: { ...alertsOption, ...globalOptions },
  examples: ['jobmeter alerts test ops', 'jobmeter alerts test mail --alerts alerts.yaml'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const { channels } = await alertFileAsked(system, options.alerts)
  const channel = channels.find(({ name }) => name === given.channel)
  if (channel === undefined) {
    const names = channels.map(({ name }) => name)
    throw new UserError(
      `there is no channel ${given.channel}.${didYouMean(given.channel, names)} There are: ${names.join(', ')}`,
      'usage',
    )
  }
  const notice = testNotice(system)
  if (channel.way.type === 'console') console.complain(consoleLine(notice))
  const door = channelDoor(system, channel.timeoutSeconds, process.env)
  const outcome =
    channel.way.type === 'console'
      ? ({ kind: 'sent' } as const)
      : await send(channel, { id: system.randomId(), notices: [notice] }, door)
  const error = outcome.kind === 'sent' ? null : outcome.error
  if (options.format === 'json')
    console.print(`${jsonText({ channel: channel.name, sent: error === null, error }, 2)}\n`)
  else if (error === null) console.print(`${channel.name} took the test alert\n`)
  else console.complain(`${channel.name}: ${error}`)
  return error === null ? 0 : 1
})

function testNotice(system: System): AlertNotice {
  const at = system.clock.wallSeconds()
  const alertId = system.randomId()
  return {
    id: `${alertId}-firing`,
    alertId,
    kind: 'firing',
    rule: 'test',
    severity: 'info',
    subject: { host: system.host.name, job: null, taskId: alertId, gpu: null },
    text: 'this is a test of jobmeter alerts: nothing is wrong',
    metric: 'test',
    value: null,
    threshold: null,
    at,
    firedAt: at,
  }
}
