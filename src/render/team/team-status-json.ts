import { utcTime } from '../units/iso-time.ts'

/** What is told of the sending of a ledger; see `service/team/team-status.ts`. */
export interface ShownTeamStatus {
  readonly address: string
  readonly ledger: string
  readonly notes:
    | {
        readonly succeededAt: number | null
        readonly failedAt: number | null
        readonly failure: string | null
        readonly refused: readonly { readonly record: string; readonly reason: string }[]
      }
    | undefined
  readonly sender: { readonly pid: number; readonly staysFor: keyof typeof reasons } | null
  readonly waiting: {
    readonly records: number
    readonly samples: number
    readonly lagSeconds: number | null
  }
  readonly team:
    | {
        readonly version: number
        readonly bytes: number | null
        readonly months: number
        readonly retention: Readonly<Record<'records' | 'samples', number | null>>
        readonly sources: readonly {
          readonly host: string
          readonly user: string
          readonly path: string
          readonly role: string
          readonly version: string
          readonly heardAt: number
          readonly attempts: number
          readonly samples: number
        }[]
        readonly agents: readonly {
          readonly host: string
          readonly path: string
          readonly role: string
          readonly heardAt: number
          readonly refusedHosts: readonly string[]
        }[]
      }
    | undefined
  /** Why the team could not be asked. */
  readonly problem: string | undefined
}

/** Why a process goes on sending. */
const reasons = {
  ever: 'it was started to go on until it is stopped',
  starter: 'whoever started it still runs',
  jobs: 'jobs run whose ends are still to be sent',
  unsent: 'something waits to be sent, and the team does not take it; it tries for 15 minutes',
  rest: 'something new may come in the next seconds',
} as const

export type TeamStatusJson = ReturnType<typeof teamStatusJson>

export const teamStatusJson = ({
  address,
  ledger,
  notes,
  sender,
  waiting,
  team,
  problem,
}: ShownTeamStatus) => ({
  address,
  ledger,
  waiting_records: waiting.records,
  waiting_samples: waiting.samples,
  lag_seconds: waiting.lagSeconds,
  last_success: timeOrNull(notes?.succeededAt),
  last_failure: timeOrNull(notes?.failedAt),
  last_error: notes?.failure ?? null,
  refused: notes?.refused ?? [],
  sender: sender === null ? null : { pid: sender.pid, stays_for: reasons[sender.staysFor] },
  problem: problem ?? null,
  team:
    team === undefined
      ? null
      : {
          version: team.version,
          bytes: team.bytes,
          months: team.months,
          retention_months: team.retention,
          sources: team.sources.map(({ heardAt, ...source }) => ({
            ...source,
            last_heard: utcTime(heardAt),
          })),
          agents: team.agents.map(({ heardAt, refusedHosts, ...agent }) => ({
            ...agent,
            last_heard: utcTime(heardAt),
            refused_hosts: refusedHosts,
          })),
        },
})

const timeOrNull = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : utcTime(seconds)
