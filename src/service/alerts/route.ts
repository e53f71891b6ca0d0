import { isForUsers, type ChannelConfig } from '../../alert/config/channel-config.ts'
import type { Rule } from '../../alert/rule.ts'
import { severities } from '../../model/alert.ts'

/** The channels that are told when a rule fires. */
export const channelsFor = (
  rule: Pick<Rule, 'name' | 'severity' | 'channels'>,
  channels: readonly ChannelConfig[],
): ChannelConfig[] =>
  channels.filter(
    ({ name, leastSeverity, rules, way }) =>
      !isForUsers({ way }) &&
      (rule.channels === null || rule.channels.includes(name)) &&
      (rules === null || rules.includes(rule.name)) &&
      severities.indexOf(rule.severity) >= severities.indexOf(leastSeverity),
  )
