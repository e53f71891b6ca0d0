import * as z from 'zod'
import { remoteTargetsOf } from '../../remote/config/remote-file.ts'
import type { Problems } from '../../workflow/spec/problem.ts'
import { readChecked, type Checked } from '../../workflow/spec/read-checked.ts'
import type { AgentConfig } from './agent-config.ts'
import { agentFile, secondsOf } from './agent-file.ts'

/** Reads the configuration of an agent. What is wrong is said all at once, each with its line. */
export const readAgentConfig = (
  text: string,
  fileName: string,
  groupIdOf: (name: string) => number | undefined,
): Checked<AgentConfig> =>
  readChecked(text, fileName, agentFile.extend({ administrators: groupOf(groupIdOf) }), {
    expected: 'settings such as "interval: 60s"',
    make: (file, problems) => {
      const { administrators: name } = file
      return configOf(file, name === undefined ? null : (groupIdOf(name) ?? null), problems)
    },
  })

/** Part of the shape, so that a group that is not there is told together with all else. */
const groupOf = (groupIdOf: (name: string) => number | undefined) =>
  z
    .string()
    .min(1)
    .refine((name) => groupIdOf(name) !== undefined, {
      error: ({ input }) => `there is no group ${JSON.stringify(input)}`,
    })
    .optional()

function configOf(
  file: z.infer<typeof agentFile>,
  administrators: number | null,
  problems: Problems,
): AgentConfig {
  const { interval, database, policies, retention = {}, reservations, slurm = {} } = file
  const { raw_days: raw, five_minute_days: five, hour_days: hour } = retention
  return {
    intervalSeconds: interval === undefined ? null : secondsOf(interval),
    database: database ?? null,
    policies: policies ?? null,
    retention: {
      ...(raw === undefined ? {} : { rawDays: raw }),
      ...(five === undefined ? {} : { fiveMinuteDays: five }),
      ...(hour === undefined ? {} : { hourDays: hour }),
    },
    impliedGpus: reservations?.implied_gpus ?? null,
    administrators,
    socket: file.socket === false ? false : null,
    slurm: {
      ...(slurm.bin === undefined ? {} : { folder: slurm.bin }),
      ...(slurm.conf === undefined ? {} : { environment: { SLURM_CONF: slurm.conf } }),
    },
    remote: remoteTargetsOf(file.remote, problems),
  }
}
