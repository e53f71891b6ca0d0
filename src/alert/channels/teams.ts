import type { AlertNotice } from '../../model/alert.ts'
import type { SecretPlace } from '../config/channel-config.ts'
import { headline, noticeText, subjectWords } from '../notice-words.ts'
import type { ChannelDoor, Message, Sent } from './channel.ts'
import { postMessage } from './post-message.ts'

/** Teams reads Markdown. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>#]/g, String.raw`\$&`)

const colours = { info: 'Accent', warning: 'Warning', critical: 'Attention' }

const block = (notice: AlertNotice): object => ({
  type: 'TextBlock',
  wrap: true,
  color: notice.kind === 'resolved' ? 'Good' : colours[notice.severity],
  text: `${plain(noticeText(notice))} (${plain(subjectWords(notice.subject))})`,
})

/** An adaptive card, as the webhooks of workflows in Teams take them. */
export const sendTeams = (
  url: SecretPlace,
  { notices }: Message,
  door: ChannelDoor,
): Promise<Sent> =>
  postMessage(
    door,
    url,
    JSON.stringify({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              {
                type: 'TextBlock',
                weight: 'Bolder',
                wrap: true,
                text: plain(headline(notices)),
              },
              ...notices.map(block),
            ],
          },
        },
      ],
    }),
  )
