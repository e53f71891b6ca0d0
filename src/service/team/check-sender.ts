import { TeamError } from '../../store/postgres/team-error.ts'
import { openTeam } from './open-team.ts'

/** Fails where a role may not send records of a user to a team, and says why. */
export async function checkSender(address: string, user: string): Promise<void> {
  const database = await openTeam(address, { connections: 1 })
  try {
    const [row] = await database.rows(
      `SELECT current_user AS role, has_table_privilege('source', 'INSERT')::int AS may_send,
         (current_user::text = ? OR pg_has_role(current_user, 'jobmeter_node', 'MEMBER'))::int AS may_send_theirs`,
      [user],
    )
    const role = String(row?.['role'])
    if (row?.['may_send'] === 1 && row['may_send_theirs'] === 1) return
    if (row?.['may_send'] === 1)
      throw new TeamError(
        'no-rights',
        address,
        `the role ${role} may send records of a user ${role}, not those of ${user}; join with a role of your own name, ` +
          `or an administrator lets it send those of anybody: GRANT jobmeter_node TO "${role}"`,
      )
    throw new TeamError(
      'no-rights',
      address,
      `the role ${role} may not send; an administrator lets it: GRANT jobmeter_writer TO "${role}"`,
    )
  } finally {
    await database.close()
  }
}
