import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../test/postgres.ts'
import { submission } from '../../../test/queue/some-submission.ts'
import type { QueueOrder } from '../../model/queue-order.ts'
import { Database } from './connection.ts'
import { migrate } from './migrate.ts'
import { TeamQueue } from './queue/team-queue.ts'

const insertAttempt = `
  INSERT INTO attempt (task_id, source_id, job_id, number, status, started_at, stragglers, "user", host, cores,
    owner_host, owner_boot_id, owner_pid, owner_start_ticks, samples_collected, samples_late,
    job_name, job_tool, job_params, job_tags, job_command, job_working_directory)
  VALUES ('t', ?, nextval('job_number'), 1, 'success', extract(epoch FROM now()), '[]', 'ada', 'node1', 4,
    'node1', 'b', 1, 1, 0, 0, 'job', 'true', '{}', '["a","b\\"\\u0000"]', '["true"]', '/') RETURNING task_id`

describe.skipIf(whyNoPostgres() !== undefined)('what a row of a team ledger may hold', () => {
  let postgres: Postgres
  let root: Database
  let ada: Database
  let source = 0

  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    root = new Database({ connectionString: await postgres.database('bounds') })
    await migrate(root)
    await root.run('CREATE ROLE ada LOGIN IN ROLE jobmeter_writer, jobmeter_reader')
    ada = new Database({ connectionString: postgres.address('bounds', 'ada') })
    const [row] = await ada.rows(
      `INSERT INTO source (ledger_id, host, path, "user", version) VALUES ('l', 'h', '/', 'ada', '1') RETURNING id`,
    )
    source = Number(row?.['id'])
    await ada.rows(insertAttempt, [source])
  })
  afterAll(async () => {
    await ada.close()
    await root.close()
    await postgres.stop()
  })

  it('has a bound for every column that can be of any length', async () => {
    const unbounded = await root.rows(`
      SELECT attrelid::regclass::text AS of_table, attname AS of_column
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        JOIN pg_type ON pg_type.oid = atttypid
      WHERE relnamespace IN ('jobmeter'::regnamespace, 'jobmeter_queue'::regnamespace)
        AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped AND typlen = -1
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = attrelid AND contype = 'c'
          AND conkey = ARRAY[attnum] AND pg_get_constraintdef(oid) ~ '^CHECK \\(\\(octet_length\\(.*\\) <= [0-9]+\\)\\)$')`)
    expect(unbounded).toEqual([])
  })

  it('is checked in the parts that come later, too', async () => {
    const moment = Date.UTC(2025, 0, 15) / 1000
    await root.rows('SELECT make_months(?)', [[moment]])
    const [counts] = await root.rows(`
      SELECT count(*) FILTER (WHERE conrelid = 'attempt'::regclass) AS of_all,
        count(*) FILTER (WHERE conrelid = 'attempt_2025_01'::regclass) AS of_part
      FROM pg_constraint WHERE contype = 'c'`)
    expect(Number(counts?.['of_all'])).toBeGreaterThan(40)
    expect(counts?.['of_part']).toBe(counts?.['of_all'])
  })

  it('is not more than a reader can take', async () => {
    const long = (sql: string) => ada.run(sql)
    const much = `repeat('x', 17000000)`
    for (const column of ['job_name', 'job_working_directory', 'reason', 'usage'])
      await expect(long(`UPDATE attempt SET ${column} = ${much}`)).rejects.toThrow(
        `${column}_at_most_`,
      )
    await expect(
      long(`INSERT INTO queue_job (id, name, priority, definition, state, retries, interruptions)
        VALUES (gen_random_uuid(), 'bomb', 0, ${much}, 'queued', 0, 0)`),
    ).rejects.toThrow('definition_at_most_')
    await expect(
      long(`SELECT make_lanes('{ada}', '{""}', '{""}', '{""}', '{0}', '{0}', '{0}',
        ARRAY[to_json(ARRAY[${much}])::text])`),
    ).rejects.toThrow('labels_at_most_')
  })

  it('is not more than can be held at once, of all rows together', async () => {
    const much = `SELECT repeat('x', 16000000) AS text FROM generate_series(1, ?)`
    await expect(root.rows(much, [34])).rejects.toThrow('ask for fewer rows')
    await expect(root.rows(much, [1])).resolves.toHaveLength(1)
  }, 60_000)

  it('is of a month that somebody may have measured, and that is kept', async () => {
    const months = (from: string, to: string) =>
      ada.rows(
        `SELECT make_months(ARRAY(SELECT extract(epoch FROM month)
           FROM generate_series(${from}, ${to}, interval '1 month') AS month))`,
      )
    const tables = async () =>
      (await root.rows("SELECT relname FROM pg_class WHERE relname ~ '^attempt_[0-9]{4}_[0-9]+$'"))
        .length
    await expect(months("'1970-01-01'", 'now()')).rejects.toThrow('no job starts in')
    await expect(months('now()', "now() + interval '2 years'")).rejects.toThrow('no job starts in')
    await root.run("INSERT INTO retention VALUES ('records', 6)")
    const before = await tables()
    await months("now() - interval '9 years'", "now() + interval '6 months'")
    expect((await tables()) - before).toBeLessThanOrEqual(6 + 6)
    await root.run('DELETE FROM retention')
  })

  it('is told before it is submitted, where it is too much for the queue', async () => {
    const queue = await TeamQueue.open(postgres.address('bounds', 'ada'))
    const submitting = (differences: Partial<QueueOrder>) => {
      const some = submission()
      return queue.submit([{ ...some, order: { ...some.order, ...differences } }])
    }
    const long = 'x'.repeat(2 ** 20)
    await expect(submitting({ command: ['sh', long] })).rejects.toThrow('put them into a file')
    await expect(submitting({ name: long })).rejects.toThrow('is longer than 16 KiB')
    await expect(submitting({ command: ['sh', long.slice(2000)] })).resolves.toBeUndefined()
    await expect(submitting({ name: long.slice(-(2 ** 14)) })).resolves.toBeUndefined()
    await queue.close()
  })

  it('are figures that somebody can have measured', async () => {
    for (const [column, value] of [
      ['cpu_seconds', "'NaN'"],
      ['cpu_seconds', '1e290'],
      ['cpu_seconds', '-1'],
      ['memory_peak_bytes', "'infinity'"],
      ['job_cpus', '1e200'],
      ['ended_at', "'infinity'"],
      ['cores', '-5'],
      ['exit_code', '256'],
      ['samples_collected', '-1'],
      ['status', "'weird'"],
    ])
      await expect(ada.run(`UPDATE attempt SET ${column} = ${value}`), column).rejects.toThrow(
        'violates check constraint',
      )
    await expect(ada.run('UPDATE attempt SET cpu_seconds = 3e10, exit_code = 255')).resolves.toBe(1)
  })

  it('are lists and names of parameters where these are told', async () => {
    for (const [column, values] of [
      ['job_tags', ['{"a":1}', '[', '[[]]', '["a""b"]', '["a",]', '[null]', '["\\q"]', '["\n"]']],
      ['job_command', ['', 'null', '[1]']],
      ['job_params', ['{', 'null', '[]']],
      ['stragglers', ['not json', '{}']],
    ] as const)
      for (const value of values)
        await expect(
          ada.run(`UPDATE attempt SET ${column} = ?`, [value]),
          `${column} ${value}`,
        ).rejects.toThrow(/violates check constraint|invalid input syntax for type json/)
    for (const tags of [[], ['a'], ['a', 'b "\\\n\u0001\ud800 é😀'], ['', ',', ']']])
      await expect(
        ada.run('UPDATE attempt SET job_tags = ?', [JSON.stringify(tags)]),
      ).resolves.toBe(1)
  })
})
