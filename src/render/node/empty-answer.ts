import type { WhyEmpty } from '../../analysis/node/why-empty.ts'
import { printable } from '../text/printable.ts'
import { tableSeconds } from '../units/figures.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

/** Why there is nothing to show, and what to do about it. */
export function emptyAnswer(why: WhyEmpty, zone: Zone): string {
  const time = (seconds: number): string => shortTime(seconds, zone)
  switch (why.kind) {
    case 'never-looked':
      return 'The agent has not looked at any host yet. Start it with: jobmeter agent\n'
    case 'unknown-name': {
      const nearest = why.nearest === undefined ? '' : ` Did you mean ${printable(why.nearest)}?`
      const name = `"${printable(why.name)}"`
      return `No ${why.what} ${why.isPart ? `with ${name} in it` : name} was ever seen.${nearest}\n`
    }
    case 'too-early':
      return `Nobody looked then: what is kept begins at ${time(why.first)}.\n`
    case 'too-late':
      return `Nobody has looked since ${time(why.last)}. Start the agent with: jobmeter agent\n`
    case 'gap':
      return `Nobody looked then: there is a gap of ${tableSeconds(why.to - why.from)} from ${time(why.from)} to ${time(why.to)}. See jobmeter uptime\n`
    case 'not-yours':
      return 'You see only your own jobs here. Root and administrators see those of all users.\n'
    case 'none':
      return 'Nothing that was seen in this time matches.\n'
  }
}
