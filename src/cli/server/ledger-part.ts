import { liveText } from '../../render/live/live-json.ts'
import type { Served } from '../../server/served.ts'
import { refuseInTeam } from '../../server/access/team-actions.ts'
import { LiveFeed } from '../../service/live/live-feed.ts'
import { TeamReading } from '../../service/live/team-reading.ts'
import { ServedLedger } from '../../service/served-ledger.ts'
import { readerThrough } from '../../store/ledger/reader-through.ts'
import { openTeam, teamReader } from '../../store/ledger/team-ledger.ts'
import type { System } from '../../system/system.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import type { LedgerToServe } from '../ledger/ledger.ts'

/** What a server does with its ledger. */
export interface LedgerPart extends Pick<Served, 'ledger' | 'catchUp' | 'change' | 'feed'> {
  /** Beside which what people submit is logged; null where nothing is started. */
  readonly startBeside: string | null
  /** The ledger that this machine writes to. */
  readonly ownPath: string
  close(): void
}

/** How long a team's database may take for a question of a server: many ask, and nobody waits so long for a page. */
export const answerSeconds = 60

export function ledgerPart(
  system: System,
  { path, team }: LedgerToServe,
  tell: (problem: string) => void,
): LedgerPart {
  return team === undefined ? localPart(system, path, tell) : teamPart(system, team, tell)
}

function localPart(system: System, path: string, tell: (problem: string) => void): LedgerPart {
  const ledger = new ServedLedger(system, path, tell)
  const feed = new LiveFeed(system, path, { textOf: liveText, onProblem: tell })
  return {
    ledger: readerThrough(ledger),
    catchUp: () => ledger.catchUp(),
    change: (act) => ledger.ask((_, open) => act(open)),
    feed,
    startBeside: path,
    ownPath: path,
    close: () => {
      feed.stop()
      ledger.close()
    },
  }
}

/** A team's ledger is only read: nothing can be started there, or changed. */
function teamPart(system: System, address: string, tell: (problem: string) => void): LedgerPart {
  const reader = teamReader(address, async () => address, tell, answerSeconds)
  const feed = new LiveFeed(system, reader.path, {
    textOf: liveText,
    onProblem: tell,
    newReading: () => new TeamReading(system, () => openTeam(address, tell, answerSeconds)),
  })
  return {
    ledger: reader,
    // What others have sent is there; what they have not cannot be hurried from here.
    catchUp: async () => {},
    change: async () => refuseInTeam(),
    feed,
    startBeside: null,
    ownPath: findLedger(system, undefined, { quiet: true }),
    close: () => {
      feed.stop()
      // Nobody is left to be told.
      reader.close().catch(() => {})
    },
  }
}
