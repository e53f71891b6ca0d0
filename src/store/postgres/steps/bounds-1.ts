import { bossSchema } from '../queue/boss-version.ts'

/**
 * How much a row may hold, whoever writes it, so that no row is more than whoever reads it can take: a text of half a
 * gigabyte ends any program that is given it. Each text has a bound, that of its column or the usual one, and its CHECK tells
 * in its name which (`job_command_at_most_4194304`). A record that is counted can be read, and its figures are none that
 * nobody can have measured.
 */
export function bounds1(): string {
  return `
DO $$
DECLARE
  bounded record;
BEGIN
  FOR bounded IN
    SELECT attrelid::regclass AS of_table, attname AS of_column,
      CASE WHEN atttypid IN ('text'::regtype, 'bytea'::regtype) THEN '' ELSE '::text' END AS as_text,
      coalesce(own.bytes, ${usualBytes}) AS bytes
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type ON pg_type.oid = atttypid
      LEFT JOIN (VALUES ${bytesOf.map(([column, bytes]) => `('${column}', ${bytes})`).join(', ')})
        AS own (of_column, bytes) ON own.of_column = relname || '.' || attname
    WHERE relnamespace IN ('jobmeter'::regnamespace, '${bossSchema}'::regnamespace)
      AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND NOT attisdropped AND typlen = -1
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (octet_length(%I%s) <= %s)', bounded.of_table,
      bounded.of_column || '_at_most_' || bounded.bytes, bounded.of_column, bounded.as_text, bounded.bytes);
  END LOOP;
  FOR bounded IN
    SELECT attrelid::regclass AS of_table, attname AS of_column,
      CASE WHEN attname ~ '_(at|seconds)$' THEN ${endOfTimeSeconds} ELSE ${mostOfAnything} END AS most
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'jobmeter'::regnamespace AND relname = ANY ('{${measured.join(',')}}')
      AND attnum > 0 AND atttypid = 'double precision'::regtype
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%I >= 0 AND %I < %s)', bounded.of_table,
      bounded.of_column || '_figure', bounded.of_column, bounded.of_column, bounded.most);
  END LOOP;
END
$$;

ALTER TABLE attempt
  ADD CONSTRAINT status_known CHECK (status IN
    ('success', 'failed', 'timeout', 'error', 'interrupted', 'cancelled', 'running', 'unknown')),
  ADD CONSTRAINT counts CHECK (exit_code BETWEEN 0 AND 255 AND cores >= 0 AND samples_collected >= 0
    AND samples_late >= 0 AND owner_pid >= 0 AND owner_start_ticks >= 0),
  ADD CONSTRAINT job_params_object CHECK (json_typeof(job_params::json) = 'object'),
  ADD CONSTRAINT stragglers_list CHECK (json_typeof(stragglers::json) = 'array'),
  ADD CONSTRAINT job_tags_list CHECK (job_tags ~ ${listOfTexts}),
  ADD CONSTRAINT job_command_list CHECK (job_command ~ ${listOfTexts});

ALTER TABLE node_job ADD CONSTRAINT kind_known CHECK (kind IN ${kindsOfJobs});
ALTER TABLE node_violation
  ADD CONSTRAINT kind_known CHECK (kind IN ${kindsOfJobs}),
  ADD CONSTRAINT severity_known CHECK (severity IN ('info', 'warning', 'critical'));
ALTER TABLE node_device ADD CONSTRAINT kind_known CHECK (kind IN ('disk', 'interface', 'gpu'));
`
}

const kindsOfJobs =
  "('slurm', 'container', 'unit', 'attempt', 'session', 'rolled-up', 'unattributed')"

const usualBytes = 2 ** 14

const kibibytes64 = 2 ** 16
const mebibyte = 2 ** 20

/** A command line has at most 2 MiB, with quotes and backslashes twice that; a file of a workflow has 32 MB. */
const bytesOf: readonly (readonly [column: string, bytes: number])[] = [
  ['attempt.job_command', 4 * mebibyte],
  ['attempt.job_params', mebibyte],
  ['attempt.job_tags', kibibytes64],
  ['attempt.reason', kibibytes64],
  ['attempt.stragglers', mebibyte],
  ['attempt.usage', mebibyte],
  ['attempt.marks', 16 * mebibyte],
  ['usage_form.form', mebibyte],
  ['job.command', 4 * mebibyte],
  ['job.shell_command', 4 * mebibyte],
  ['job.definition', 8 * mebibyte],
  ['job.params', mebibyte],
  ['job.tags', kibibytes64],
  ['workflow.spec_text', 64 * mebibyte],
  ['workflow.definition', 64 * mebibyte],
  ['name_list.names', 64 * mebibyte],
  ['benchmark.definition', mebibyte],
  ['baseline.name', 1024],
  ['benchmark_run.cell', kibibytes64],
  ['sample_chunk.packed', mebibyte],
  ['node_round.core_us', kibibytes64],
  ['queue_job.definition', mebibyte],
  ['queue_job.reason', kibibytes64],
  ['queue_attempt.result', 16 * mebibyte],
  ['queue_log.bytes', mebibyte],
]

/** Those whose figures people are shown sums of. */
const measured = ['source', 'workflow', 'run', 'job', 'attempt', 'benchmark', 'baseline']

/** The first second of the year 10000, and no cluster has more seconds of CPU than it has lasted. */
const endOfTimeSeconds = 253_402_300_800

/** Ten exabytes. */
const mostOfAnything = 1e19

const oneText = String.raw`"([^"\\\x01-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`

/** As `JSON.stringify` writes it. */
const listOfTexts = `'^\\[(${oneText}(,${oneText})*)?\\]$'`
