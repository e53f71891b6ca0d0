import { isForUsers, channelFor, type ChannelConfig } from '../../alert/config/channel-config.ts'
import type { PolicyTelling } from '../../alert/policies/read-policies.ts'
import { refOf } from '../../model/job-ref.ts'
import type { Policy } from '../../model/policy.ts'
import { severities } from '../../model/alert.ts'
import type { Violation } from '../../model/violation.ts'
import type { NewNotice } from '../../store/alerts/alert-store.ts'
import { channelsFor } from '../alerts/route.ts'

/** `python3 (slurm:4711) of ada`, or `ada`. */
const subjectText = ({ subject: { user, job } }: Violation): string =>
  job === null ? user : `${job.command} (${refOf(job)}) of ${user}`

/** What a report says of a violation, the same to administrators and to the user. */
export function noticeOf(violation: Violation, policy: Policy | undefined): NewNotice {
  const { subject, resolvedAt, resolvedBecause, lastSeen, text, severity } = violation
  const isOver = resolvedAt !== null
  const what = isOver
    ? `${policy?.says ?? violation.policy}: over, because ${resolvedBecause ?? 'it ended'}`
    : `${text}. ${policy?.advice ?? ''}`.trimEnd()
  return {
    rule: violation.policy,
    severity,
    subject: {
      host: subject.host,
      job: subjectText(violation),
      taskId: subject.job === null ? subject.user : refOf(subject.job),
      gpu: null,
    },
    text: `${violation.policy}: ${what}`,
    metric: policy?.conditions[0]?.figure ?? violation.policy,
    value: null,
    threshold: policy?.conditions[0]?.threshold ?? null,
    at: isOver ? resolvedAt : lastSeen,
  }
}

/** The names of the channels that get the report; those for users have the name of the user added. */
export function channelsToTell(
  { subject, severity, policy: name }: Violation,
  { channels: own = null }: Partial<Pick<Policy, 'channels'>>,
  telling: PolicyTelling,
  channels: readonly ChannelConfig[],
): { readonly console: boolean; readonly queued: readonly string[] } {
  const administrators = channelsFor({ name, severity, channels: own }, channels).filter(
    (channel) => telling.administrators?.includes(channel.name) ?? true,
  )
  const urgent = (channel: ChannelConfig): boolean =>
    severities.indexOf(severity) >= severities.indexOf(channel.leastSeverity)
  const toUser = channels
    .filter((channel) => telling.users.includes(channel.name) && isForUsers(channel))
    .filter((channel) => urgent(channel) && channelFor(channel, subject.user) !== undefined)
  return {
    console: administrators.some(({ way }) => way.type === 'console'),
    queued: [
      ...administrators.filter(({ way }) => way.type !== 'console').map((one) => one.name),
      ...toUser.map((one) => `${one.name}/${subject.user}`),
    ],
  }
}
