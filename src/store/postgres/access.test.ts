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
      CREATE ROLE node1 LOGIN IN ROLE jobmeter_node;
      CREATE ROLE node2 LOGIN IN ROLE jobmeter_node;
      CREATE ROLE ada LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      CREATE ROLE bob LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      CREATE ROLE alice LOGIN IN ROLE jobmeter_reader;
      CREATE ROLE boss LOGIN IN ROLE jobmeter_reader;
      CREATE ROLE web LOGIN IN ROLE jobmeter_server;
      CREATE ROLE stranger LOGIN;
      INSERT INTO viewer VALUES ('boss', 'bob'), ('ada', 'bob')`)
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
    const held = await as('node2').rows(
      "SELECT * FROM known_tasks('{a,b,z}', '{alice,alice,alice}')",
    )
    expect(held).toEqual([{ task_id: 'a', is_of_another: true }])
  })

  it('let people write what is of their own name, and add nothing to what others sent', async () => {
    const [ada, bob] = [as('ada'), as('bob')]
    const [[adas], [bobs]] = await Promise.all([
      ada.rows(insertSource, ['of ada']),
      bob.rows(insertSource, ['of bob']),
    ])
    const [source, other] = [Number(adas?.['id']), Number(bobs?.['id'])]
    const refused = (writing: Promise<unknown>) =>
      expect(writing).rejects.toThrow('row-level security')
    await bob.run(insertAttempt, ['of-bob', other, 'bob'])
    const insertWorkflow = `
      INSERT INTO workflow (source_id, source_workflow_id, name, "user", created_at, spec_path, spec_text, definition, sent_mark)
      VALUES (?, 1, 'w', ?, 0, '', '', '{}', '') RETURNING id`
    const [made] = await bob.rows(insertWorkflow, [other, 'bob'])
    const workflow = Number(made?.['id'])
    await bob.run("INSERT INTO run VALUES (?, 1, 0, NULL, 'h', '/', '/')", [workflow])
    // She sees all of it, as a reader.
    await expect(ada.rows('SELECT id FROM workflow')).resolves.toEqual([{ id: workflow }])
    await refused(ada.run(insertAttempt, ['of-bob', source, 'bob']))
    await refused(ada.rows(insertWorkflow, [source, 'bob']))
    await refused(ada.run("INSERT INTO run VALUES (?, 2, 0, NULL, 'h', '/', '/')", [workflow]))
    await expect(ada.run('DELETE FROM run')).resolves.toBe(0)
    await refused(
      ada.run(
        insertAttempt
          .replace('job_id,', 'job_id, workflow_id,')
          .replace("nextval('job_number'),", `1, ${workflow},`),
        ['mine', source, 'ada'],
      ),
    )
    const insertChunk = `
      INSERT INTO sample_chunk VALUES ('of-bob', ?, ?, extract(epoch FROM now()), 'sample', 0, ?, 0, 1, ?)`
    await refused(ada.run(insertChunk, ['bob', source, 1, Buffer.of(2)]))
    await refused(ada.run(insertChunk, ['ada', other, 1, Buffer.of(2)]))
    for (const [rows, bytes] of [
      [0, 1],
      [513, 1],
      [1, 2 ** 20 + 1],
    ] as const)
      await expect(
        ada.run(insertChunk, ['ada', source, rows, Buffer.alloc(bytes)]),
      ).rejects.toThrow('violates check constraint')
    // A claim under her own name takes the place of nothing.
    await ada.run(insertAttempt, ['of-bob', source, 'ada'])
    await ada.run(insertChunk, ['ada', source, 1, Buffer.of(2)])
    await bob.run(insertChunk, ['bob', other, 1, Buffer.of(2)])
    await expect(bob.rows("SELECT * FROM known_tasks('{of-bob}', '{bob}')")).resolves.toEqual([
      { task_id: 'of-bob', is_of_another: false },
    ])
    await as('postgres').run(
      "DELETE FROM attempt WHERE task_id = 'of-bob'; DELETE FROM sample_chunk",
    )
  })

  it('do not depend on what a caller has in his search path', async () => {
    // A body that was read when the function was made finds what it found then.
    const bare = await as('postgres').rows(`
      SELECT proname FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
      WHERE lanname IN ('sql', 'plpgsql') AND prosqlbody IS NULL AND pronamespace IN ('jobmeter'::regnamespace, 'jobmeter_nodes'::regnamespace)
        AND NOT coalesce(proconfig, '{}') @> '{"search_path=pg_catalog, jobmeter, pg_temp"}'`)
    expect(bare).toEqual([])
    const root = as('postgres')
    await root.run(`
      CREATE ROLE alicebob LOGIN IN ROLE jobmeter_reader;
      GRANT CREATE, TEMPORARY ON DATABASE rights TO alicebob`)
    const forger = as('alicebob')
    await forger.transaction(async (_, statements) => {
      await statements.run('CREATE DOMAIN pg_temp.text AS varchar(5)')
      await statements.run('CREATE SCHEMA forged')
      await statements.run(`
        CREATE FUNCTION forged.pg_has_role(name, pg_catalog.text, pg_catalog.text) RETURNS boolean LANGUAGE sql AS 'SELECT true'`)
      await statements.run('SET LOCAL search_path = pg_temp, forged, pg_catalog')
      const [seen] = await statements.rows(
        'SELECT jobmeter.node_users_seen() AS users, jobmeter.node_sees_everybody()::int AS all',
      )
      expect(seen).toEqual({ users: ['alicebob'], all: 0 })
    })
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
