import { schema, type Database, type Statements } from './connection.ts'
import { migrateBoss } from './queue/boss-version.ts'
import { bounds1 } from './steps/bounds-1.ts'
import { nodes1 } from './steps/nodes-1.ts'
import { queueAccess1 } from './steps/queue-access-1.ts'
import { queueRecords1 } from './steps/queue-records-1.ts'
import { step1 } from './steps/step-1.ts'
import { stepQueue } from './steps/step-queue.ts'
import { workerTrouble1 } from './steps/worker-trouble-1.ts'

/**
 * The steps from an empty database to the team ledger of today. A step that was released is never edited; a change is a new
 * step at the end of the list. The tables of pg-boss are made by the second step as the installed version has them, and brought
 * to later versions after all steps.
 */
export const steps: readonly (() => string)[] = [
  step1,
  stepQueue,
  nodes1,
  queueAccess1,
  queueRecords1,
  workerTrouble1,
  bounds1,
]

const queueStep = steps.indexOf(stepQueue) + 1

/** Groups that rights are given to; `steps/access-1.ts` and `steps/queue-access-1.ts` say what each may do. */
export const roles = [
  'jobmeter_admin',
  'jobmeter_server',
  'jobmeter_writer',
  'jobmeter_node',
  'jobmeter_worker',
  'jobmeter_reader',
] as const

/** Two that upgrade at once take turns. */
const upgradeLock = 0x6a6f626d

/** The versions that a database had: 0 where there was nothing. */
export interface MigratedFrom {
  readonly ledger: number
  /** Of the tables of pg-boss, which has versions of its own. */
  readonly boss: number
}

/** Brings a database to the versions of this build. */
export async function migrate(database: Database): Promise<MigratedFrom> {
  return database.transaction(async (_, statements) => {
    await statements.rows('SELECT pg_advisory_xact_lock(?)', [upgradeLock])
    await makeRoles(statements)
    if (!(await hasSchema(statements))) await makeSchema(statements)
    await statements.run('SET LOCAL ROLE jobmeter_admin')
    await statements.run(
      'CREATE TABLE IF NOT EXISTS version (step integer PRIMARY KEY, made_at timestamptz DEFAULT now())',
    )
    const before = await versionOf(statements)
    for (const [index, step] of steps.entries()) {
      if (index < before) continue
      await statements.run(step())
      await statements.run('INSERT INTO version (step) VALUES (?)', [index + 1])
    }
    const boss = await migrateBoss(statements)
    return { ledger: before, boss: before < queueStep ? 0 : boss }
  })
}

async function hasSchema(statements: Statements): Promise<boolean> {
  const sql = 'SELECT 1 AS found FROM pg_namespace WHERE nspname = ?'
  return (await statements.rows(sql, [schema])).length > 0
}

/** Roles are those of the whole server: another database may have brought them, or be about to. */
async function makeRoles(statements: Statements): Promise<void> {
  await statements.run(`
    DO $$
    DECLARE
      made text;
    BEGIN
      FOREACH made IN ARRAY '{${roles.join(',')}}'::text[] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = made);
        BEGIN
          EXECUTE format('CREATE ROLE %I NOLOGIN', made);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END;
      END LOOP;
    END
    $$`)
}

/** All that is made from here on belongs to the administrators, whoever of them makes it. */
async function makeSchema(statements: Statements): Promise<void> {
  await statements.run(`
    DO $$
    BEGIN
      BEGIN
        GRANT jobmeter_writer TO jobmeter_node;
        EXECUTE format('GRANT jobmeter_admin TO %I', current_user);
      EXCEPTION WHEN insufficient_privilege THEN NULL;
      END;
      EXECUTE format('GRANT CREATE, TEMPORARY ON DATABASE %I TO jobmeter_admin', current_database());
      EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO jobmeter_writer', current_database());
    END
    $$`)
  await statements.run(`CREATE SCHEMA ${schema} AUTHORIZATION jobmeter_admin`)
}

export async function versionOf(statements: Statements): Promise<number> {
  const [row] = await statements.rows(`SELECT max(step) AS step FROM ${schema}.version`)
  return Number(row?.['step'] ?? 0)
}
