import * as z from 'zod'
import { parseDuration } from '../../model/duration.ts'
import { remoteFile } from '../../remote/config/remote-file.ts'

const days = z.number().min(1).optional()
const least = 0.1
/** Whatever folder the agent was started in. */
const path = z
  .string()
  .regex(/^\//, { message: 'must be a whole path, such as /opt/slurm/bin' })
  .optional()

/** The file `agent.yaml`. */
export const agentFile = z.strictObject({
  interval: z
    .union([z.number(), z.string()])
    .refine((value) => !(secondsOf(value) < least) && !Number.isNaN(secondsOf(value)), {
      message: 'must be a duration of at least 0.1 s, such as 60s',
    })
    .optional(),
  database: z.string().min(1).optional(),
  policies: z.string().min(1).optional(),
  retention: z.strictObject({ raw_days: days, five_minute_days: days, hour_days: days }).optional(),
  reservations: z.strictObject({ implied_gpus: z.number().min(0).optional() }).optional(),
  administrators: z.string().min(1).optional(),
  socket: z
    .union([z.boolean(), z.string()])
    .refine((value) => value === false, {
      message:
        'must be false, or left out; $JOBMETER_AGENT_SOCKET moves it, set for the agent and for all who ask',
    })
    .optional(),
  slurm: z.strictObject({ bin: path, conf: path }).optional(),
  remote: remoteFile.optional(),
})

export const secondsOf = (value: number | string): number =>
  typeof value === 'number' ? value : (parseDuration(value) ?? Number.NaN)
