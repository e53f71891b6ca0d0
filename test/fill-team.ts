import { Outbox } from '../src/store/outbox/outbox.ts'
import type { Database } from '../src/store/postgres/connection.ts'
import { knownOf } from '../src/store/postgres/write/known.ts'
import { enrol } from '../src/store/postgres/write/source.ts'
import { TeamWriter } from '../src/store/postgres/write/team-writer.ts'

/** Sends all that a local ledger holds, as whoever joined the team does. */
export async function fillTeam(path: string, team: Database): Promise<void> {
  const place = { host: 'node01', path, user: 'ada', version: '0.1.0' }
  const file = Outbox.open(path)
  const enrolled = await enrol(team, place, {
    ledgerId: undefined,
    isSame: () => true,
    newLedgerId: () => path,
  })
  if (file === undefined || enrolled === undefined) throw new Error('there is nothing to send')
  let { state } = enrolled
  const outbox = new Outbox(file, state.sent, await knownOf(team, state.sourceId), {
    user: 'ada',
    monotonicSeconds: () => performance.now() / 1000,
  })
  const writer = new TeamWriter(team, place)
  for (;;) {
    const next = outbox.next(true)
    if (next === undefined) break
    const written = await writer.write(next.batch, state, next.sent)
    if (written.refused.length > 0) throw new Error(JSON.stringify(written.refused))
    state = written.state
    next.done()
  }
  file.close()
}
