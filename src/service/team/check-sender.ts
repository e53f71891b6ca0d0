import { TeamError } from '../../store/postgres/team-error.ts'
import { openTeam } from './open-team.ts'

/** Fails where a role may not send to a team, and says why. */
export async function checkSender(address: string): Promise<void> {
  const database = await openTeam(address, { connections: 1 })
  try {
    const [row] = await database.rows(
      "SELECT current_user AS role, has_table_privilege('source', 'INSERT')::int AS may_send",
    )
    if (row?.['may_send'] === 1) return
    const role = String(row?.['role'])
    throw new TeamError(
      'no-rights',
      address,
      `the role ${role} may not send; an administrator lets it: GRANT jobmeter_writer TO "${role}"`,
    )
  } finally {
    await database.close()
  }
}
