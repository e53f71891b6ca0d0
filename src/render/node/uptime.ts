import type { Gap, HostUptime } from '../../analysis/node/gaps.ts'
import { count } from '../../model/count.ts'
import { csv } from '../text/csv.ts'
import { printable } from '../text/printable.ts'
import { exactShare, notMeasured, tableSeconds } from '../units/figures.ts'
import { utcTime } from '../units/iso-time.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

export const uptimeText = (uptimes: readonly HostUptime[], zone: Zone): string =>
  uptimes.map((uptime) => `${hostText(uptime, zone)}\n`).join('\n')

const shareOf = ({ from, to, seenSeconds }: HostUptime): number | null =>
  to > from ? Math.min(1, seenSeconds / (to - from)) : null

function hostText(uptime: HostUptime, zone: Zone): string {
  const { host, from, seenSeconds, gaps, restarts } = uptime
  const share = shareOf(uptime)
  const percent = share === null ? notMeasured : exactShare(share)
  const head = `${printable(host)}: looked at for ${tableSeconds(seenSeconds)}, ${percent} of the time since ${shortTime(from, zone)}; ${count(gaps.length, 'gap')}, ${count(restarts, 'restart')}`
  const lines = gaps.map(
    (gap) =>
      `  ${shortTime(gap.from, zone)} – ${shortTime(gap.to, zone)}  ${tableSeconds(gap.to - gap.from)}, ${causeText(gap, zone)}`,
  )
  return [head, ...lines].join('\n')
}

function causeText({ cause, bootedAt }: Gap, zone: Zone): string {
  switch (cause) {
    case 'agent-down':
      return 'the agent was down: the host was not restarted'
    case 'restarted':
      return bootedAt === null
        ? 'the host was restarted'
        : `the host was restarted, and up again at ${shortTime(bootedAt, zone)}`
    case 'open':
      return 'and not since'
    case 'unknown':
      return 'too long ago to tell why'
  }
}

export function uptimeJson(uptimes: readonly HostUptime[]): object[] {
  return uptimes.map((uptime) => ({
    host: uptime.host,
    from: utcTime(uptime.from),
    to: utcTime(uptime.to),
    seen_seconds: uptime.seenSeconds,
    seen_share: shareOf(uptime),
    restarts: uptime.restarts,
    gaps: uptime.gaps.map((gap) => ({
      from: utcTime(gap.from),
      to: utcTime(gap.to),
      seconds: gap.to - gap.from,
      cause: gap.cause,
      booted_at: utcTime(gap.bootedAt),
    })),
  }))
}

/** A line for each gap. */
export const uptimeCsv = (uptimes: readonly HostUptime[]): string =>
  csv([
    ['host', 'from', 'to', 'seconds', 'cause', 'booted_at'],
    ...uptimes.flatMap(({ host, gaps }) =>
      gaps.map((gap) => [
        host,
        utcTime(gap.from),
        utcTime(gap.to),
        gap.to - gap.from,
        gap.cause,
        utcTime(gap.bootedAt),
      ]),
    ),
  ])
