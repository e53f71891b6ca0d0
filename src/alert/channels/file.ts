import { whyNot } from '../../model/reading.ts'
import { noticeJson } from '../notice-words.ts'
import { notSent, sent, type ChannelDoor, type Message, type Sent } from './channel.ts'

/** One JSON object a line, all lines of a message in one write. */
export function writeToFile(path: string, { notices }: Message, door: ChannelDoor): Sent {
  const lines = notices.map((notice) => JSON.stringify(noticeJson(notice))).join('\n')
  const written = door.appendLine(path, lines)
  return written.kind === 'ok' ? sent : notSent(whyNot(written))
}
