import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../test/postgres.ts'
import { Database } from './connection.ts'
import { migrate } from './migrate.ts'

const insertSource = `
  INSERT INTO source (ledger_id, host, path, "user", version) VALUES (?, 'node1', '/x', 'alice', '1') RETURNING id`
const insertAttempt = `
  INSERT INTO attempt (task_id, source_id, job_id, number, status, started_at, stragglers, "user", host, cores,
    owner_host, owner_boot_id, owner_pid, owner_start_ticks, samples_collected, samples_late,
    job_name, job_tool, job_params, job_tags, job_command, job_working_directory)
  VALUES (?, ?, nextval('job_number'), 1, 'success', extract(epoch FROM now()), '[]', ?, 'node1', 4,
    'node1', 'b', 1, 1, 0, 0, 'job', 'true', '{}', '[]', '["true"]', '/')`

describe.skipIf(whyNoPostgres() !== undefined)('rights in a team ledger', () => {
  let postgres: Postgres
  const opened: Database[] = []
  let nodeSource = 0
  const as = (user: string): Database => {
    const database = new Database({ connectionString: postgres.address('rights', user) })
    opened.push(database)
    return database
  }
  const tasksSeenBy = async (user: string): Promise<unknown[]> => {
    const rows = await as(user).rows('SELECT task_id FROM attempt ORDER BY task_id')
    return rows.map((row) => row['task_id'])
  }

  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    await postgres.database('rights')
    const root = as('postgres')
    await migrate(root)
    await root.run(`
      CREATE ROLE node1 LOGIN IN ROLE jobmeter_writer;
      CREATE ROLE node2 LOGIN IN ROLE jobmeter_writer;
      CREATE ROLE alice LOGIN IN ROLE jobmeter_reader;
      CREATE ROLE boss LOGIN IN ROLE jobmeter_reader;
      CREATE ROLE web LOGIN IN ROLE jobmeter_server;
      CREATE ROLE stranger LOGIN;
      INSERT INTO viewer VALUES ('boss', 'bob')`)
    const node = as('node1')
    const [row] = await node.rows(insertSource, ['ledger-1'])
    nodeSource = Number(row?.['id'])
    await node.run(insertAttempt, ['a', nodeSource, 'alice'])
    await node.run(insertAttempt, ['b', nodeSource, 'bob'])
  })
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    await postgres.stop()
  })

  it('show users their own jobs, or those of whom the administrator says', async () => {
    await expect(tasksSeenBy('alice')).resolves.toEqual(['a'])
    await expect(tasksSeenBy('boss')).resolves.toEqual(['b'])
  })

  it('show the server all, and let it change nothing', async () => {
    await expect(tasksSeenBy('web')).resolves.toEqual(['a', 'b'])
    await expect(as('web').run('DELETE FROM attempt')).rejects.toThrow('permission denied')
  })

  it('let a writer see and change what its own sources sent, and nothing else', async () => {
    await expect(tasksSeenBy('node1')).resolves.toEqual(['a', 'b'])
    const other = as('node2')
    await expect(tasksSeenBy('node2')).resolves.toEqual([])
    await expect(other.run("UPDATE attempt SET status = 'failed'")).resolves.toBe(0)
    await expect(other.run('DELETE FROM attempt')).resolves.toBe(0)
    await expect(other.run(insertAttempt, ['c', nodeSource, 'alice'])).rejects.toThrow(
      'row-level security',
    )
    await expect(other.run('UPDATE source SET role = current_user')).resolves.toBe(0)
    await expect(
      other.run(
        `INSERT INTO source (ledger_id, host, path, "user", version, role)
         VALUES ('ledger-2', 'h', '/', 'u', '1', 'node1')`,
      ),
    ).rejects.toThrow('row-level security')
  })

  it('tell a writer which tasks others have sent already', async () => {
    const held = await as('node2').rows("SELECT * FROM known_tasks('{a,z}')")
    expect(held).toEqual([{ task_id: 'a', is_of_another: true }])
  })

  it('are not got around by naming a partition', async () => {
    const month = new Date().toISOString().slice(0, 7).replace('-', '_')
    await expect(as('alice').rows(`SELECT * FROM attempt_${month}`)).rejects.toThrow(
      'permission denied',
    )
  })

  it('let nobody in who was given none', async () => {
    await expect(as('stranger').rows('SELECT * FROM jobmeter.attempt')).rejects.toThrow(
      'permission denied',
    )
    await expect(as('alice').rows("SELECT make_months('{}')")).rejects.toThrow('permission denied')
  })

  it('drop whole months, and only those that the administrator does not want', async () => {
    const node = as('node1')
    const old = Date.UTC(2020, 0, 15) / 1000
    await node.rows('SELECT make_months(?)', [[old]])
    await node.run(insertAttempt.replace('extract(epoch FROM now())', `${old}`), [
      'old',
      nodeSource,
      'alice',
    ])
    await expect(node.rows('SELECT drop_expired() AS n')).resolves.toEqual([{ n: 0 }])
    await as('postgres').run("INSERT INTO retention VALUES ('records', 12)")
    await expect(node.rows('SELECT drop_expired() AS n')).resolves.toEqual([{ n: 2 }])
    await expect(tasksSeenBy('node1')).resolves.toEqual(['a', 'b'])
    await expect(node.run('UPDATE retention SET months = 1')).rejects.toThrow('permission denied')
  })
})
