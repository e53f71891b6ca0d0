import { readChecked, type Checked } from '../../workflow/spec/read-checked.ts'
import type { Rule } from '../rule.ts'
import type { ChannelConfig } from './channel-config.ts'
import { alertFile } from './definition.ts'
import { checkRuleChannels, resolveChannels } from './resolve-channels.ts'
import { resolveRules } from './resolve-rules.ts'

/** What is to be told, and to whom. */
export interface AlertConfig {
  readonly rules: readonly Rule[]
  readonly channels: readonly ChannelConfig[]
}

/** Reads alerts.yaml. `wholePath` makes a path in it whole. */
export const readAlerts = (
  text: string,
  fileName: string,
  wholePath: (path: string) => string,
): Checked<AlertConfig> =>
  readChecked(text, fileName, alertFile, {
    expected: '"rules", "channels" or both',
    make(file, problems) {
      const rules = resolveRules(file, problems)
      const channels = resolveChannels(file, rules, problems, wholePath)
      checkRuleChannels(file, channels, problems)
      return { rules, channels }
    },
  })
