import type { AskedAndUsed, IdleGpus, ReservationUse } from '../../analysis/node/reservation-use.ts'
import { fullRefOf } from '../../model/job-ref.ts'
import { utcTime } from '../units/iso-time.ts'

/** What jobs reserved and what of it they used. */
export const reservationJson = ({
  name,
  user,
  command,
  jobs,
  cpu,
  memory,
  gpu,
}: ReservationUse): object => ({
  name,
  user,
  command,
  jobs,
  reserved_core_seconds: cpu.asked,
  used_core_seconds: cpu.used,
  cpu_share: shareOf(cpu),
  reserved_byte_seconds: memory.asked,
  used_byte_seconds: memory.used,
  memory_share: shareOf(memory),
  reserved_gpu_seconds: gpu.asked,
  used_gpu_seconds: gpu.used,
  gpu_share: shareOf(gpu),
})

/** A job that holds cards and leaves them idle. */
export const idleGpusJson = ({ job, gpus, share }: IdleGpus): object => ({
  host: job.host,
  user: job.user,
  job: fullRefOf(job),
  command: job.command,
  gpus,
  share,
  seen_seconds: job.seenSeconds,
  is_running: job.isRunning,
  last_seen: utcTime(job.lastSeen),
})

/** Somebody whom a word would help. */
interface ToTalkTo {
  readonly user: string
  readonly unusedCoreSeconds: number
  readonly unusedGpuSeconds: number
  readonly idleGpus: number
  readonly violations: number
  readonly use: ReservationUse | null
}

export const toTalkToJson = (one: ToTalkTo): object => ({
  user: one.user,
  unused_core_seconds: one.unusedCoreSeconds,
  unused_gpu_seconds: one.unusedGpuSeconds,
  idle_gpus: one.idleGpus,
  violations: one.violations,
  use: one.use === null ? null : reservationJson(one.use),
})

/** null: nothing was reserved. */
const shareOf = ({ asked, used }: AskedAndUsed): number | null =>
  asked === 0 ? null : used / asked
