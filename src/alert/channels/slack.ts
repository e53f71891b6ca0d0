import type { AlertNotice } from '../../model/alert.ts'
import type { SecretPlace } from '../config/channel-config.ts'
import { headline, noticeText, subjectWords } from '../notice-words.ts'
import type { ChannelDoor, Message, Sent } from './channel.ts'
import { postMessage } from './post-message.ts'

/** Names of jobs are not ours: nothing in them may mention people or make links. */
const plain = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const marks = { info: ':information_source:', warning: ':warning:', critical: ':rotating_light:' }

const section = (notice: AlertNotice): object => ({
  type: 'section',
  text: {
    type: 'mrkdwn',
    text: `${notice.kind === 'resolved' ? ':white_check_mark:' : marks[notice.severity]} ${plain(noticeText(notice))}\n_${plain(subjectWords(notice.subject))}_`,
  },
})

export const sendSlack = (
  url: SecretPlace,
  { notices }: Message,
  door: ChannelDoor,
): Promise<Sent> =>
  postMessage(
    door,
    url,
    JSON.stringify({
      text: plain(headline(notices)),
      blocks: notices.map(section),
    }),
  )
