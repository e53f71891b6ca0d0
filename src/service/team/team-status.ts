import { openLedgerAt } from '../../record/open-ledger.ts'
import { LocalAttempts, type Waiting } from '../../store/outbox/local-attempts.ts'
import { Outbox } from '../../store/outbox/outbox.ts'
import { readSendNotes, type SendNotes } from '../../store/outbox/send-notes.ts'
import type { Database } from '../../store/postgres/connection.ts'
import { versionOf } from '../../store/postgres/migrate.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import type { System } from '../../system/system.ts'

/** How the sending of a local ledger goes, and what its team holds. */
export interface TeamStatus {
  /** Without its password. */
  readonly address: string
  readonly ledger: string
  /** Undefined where nothing was ever sent. */
  readonly notes: SendNotes | undefined
  /** The process that goes on sending, and why. */
  readonly sender: SendNotes['sender']
  readonly waiting: {
    readonly records: number
    readonly samples: number
    readonly lagSeconds: number | null
  }
  /** Undefined where it cannot be reached. */
  readonly team: TeamFacts | undefined
}

export interface TeamFacts {
  readonly version: number
  readonly bytes: number | null
  readonly months: number
  readonly retention: Readonly<Record<'records' | 'samples', number | null>>
  /** Those that the role may see: its own, or all. */
  readonly sources: readonly SourceFacts[]
  /** Databases of agents, of those too. */
  readonly agents: readonly AgentFacts[]
}

export interface AgentFacts {
  readonly host: string
  readonly path: string
  readonly role: string
  readonly heardAt: number
  /** Hosts that are another role's: what is of them waits where it is. */
  readonly refusedHosts: readonly string[]
}

export interface SourceFacts {
  readonly host: string
  readonly user: string
  readonly path: string
  readonly role: string
  readonly version: string
  readonly heardAt: number
  readonly attempts: number
  readonly samples: number
}

/** What this machine knows without asking the team. */
export function localStatus(
  system: System,
  ledger: string,
  address: string,
): Omit<TeamStatus, 'team'> {
  // Records of short jobs lie beside the ledger until somebody looks.
  openLedgerAt(system, ledger, () => {}).close()
  const notes = readSendNotes({ ledger, address })
  const found = waitingIn(ledger, notes)
  // A clock that was set back is behind what it has told before.
  const lagSeconds =
    found.since === null ? null : Math.max(0, system.clock.wallSeconds() - found.since)
  const waiting = { records: found.records, samples: found.samples, lagSeconds }
  const sender = notes?.sender ?? null
  const isThere = sender !== null && !system.files.isMissing(`/proc/${sender.pid}`)
  return {
    address: shownAddress(address),
    ledger,
    notes,
    waiting,
    sender: isThere ? sender : null,
  }
}

/** What of a ledger is not sent yet, by what those who send have noted. */
export function waitingIn(ledger: string, notes: SendNotes | undefined): Waiting {
  const file = Outbox.open(ledger)
  if (file === undefined) return { records: 0, samples: 0, since: null, running: 0 }
  try {
    return new LocalAttempts(file.connection).waiting({
      attemptId: notes?.sentAttemptId ?? 0,
      following: notes?.following ?? [],
      since: notes?.succeededAt ?? 0,
    })
  } finally {
    file.close()
  }
}

const sources = `
  SELECT host, "user", path, role::text AS role, version, heard_at, attempt_count, sample_count FROM source
  ORDER BY heard_at DESC`

const agents = `
  SELECT host, path, role::text AS role, heard_at, array_to_json(refused_hosts)::text AS refused_hosts
  FROM node_source ORDER BY heard_at DESC`

// Who may not see how large a table is sees none.
const size = `
  SELECT sum(pg_total_relation_size(oid)) AS bytes, count(*) FILTER (WHERE relname ~ '^attempt_[0-9]{4}_') AS months
  FROM pg_class WHERE relnamespace = 'jobmeter'::regnamespace AND relkind = 'r'`

export async function teamFacts(database: Database): Promise<TeamFacts> {
  const [version, rows, [sizes], kept, ofAgents] = await Promise.all([
    versionOf(database),
    database.rows(sources),
    database.rows(size),
    database.rows('SELECT kind, months FROM retention'),
    agentsSeen(database),
  ])
  const months = new Map(kept.map((row) => [String(row['kind']), Number(row['months'])]))
  return {
    version,
    bytes: sizes?.['bytes'] === null ? null : Number(sizes?.['bytes']),
    months: Number(sizes?.['months'] ?? 0),
    retention: { records: months.get('records') ?? null, samples: months.get('samples') ?? null },
    sources: rows.map((row) => ({
      host: String(row['host']),
      user: String(row['user']),
      path: String(row['path']),
      role: String(row['role']),
      version: String(row['version']),
      heardAt: Number(row['heard_at']),
      attempts: Number(row['attempt_count']),
      samples: Number(row['sample_count']),
    })),
    agents: ofAgents,
  }
}

/** People who send only what is their own see none. */
async function agentsSeen(database: Database): Promise<readonly AgentFacts[]> {
  const [may] = await database.rows(
    "SELECT has_table_privilege('node_source', 'SELECT')::int AS may",
  )
  if (may?.['may'] !== 1) return []
  return (await database.rows(agents)).map((row) => ({
    host: String(row['host']),
    path: String(row['path']),
    role: String(row['role']),
    heardAt: Number(row['heard_at']),
    refusedHosts: JSON.parse(String(row['refused_hosts'])) as string[],
  }))
}
