import { isForUsers, type ChannelConfig } from '../config/channel-config.ts'
import { notSent, type ChannelDoor, type Message, type Sent } from './channel.ts'
import { writeToFile } from './file.ts'
import { sendSlack } from './slack.ts'
import { sendTeams } from './teams.ts'

/** Sends a message by a channel. What only some channels need is loaded for those. */
export async function send(
  { way }: ChannelConfig,
  message: Message,
  door: ChannelDoor,
): Promise<Sent> {
  if (isForUsers({ way })) return notSent('this channel is for users who break a policy')
  switch (way.type) {
    case 'console':
      return notSent('a console is told by the command itself')
    case 'file':
      return writeToFile(way.path, message, door)
    case 'slack':
      return sendSlack(way.url, message, door)
    case 'teams':
      return sendTeams(way.url, message, door)
    case 'webhook': {
      const { sendWebhook } = await import('./webhook.ts')
      return sendWebhook(way, message, door)
    }
    case 'email': {
      const { sendEmail } = await import('./email.ts')
      return sendEmail(way, message, door)
    }
  }
}
