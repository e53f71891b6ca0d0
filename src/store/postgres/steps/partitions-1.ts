/**
 * Partitions of a month each, of `attempt` and of `sample_chunk`. Whoever sends records has those made that they belong to,
 * and those of the next months: no administrator has to be there at midnight. A partition is made beside the table and then
 * attached, which keeps nobody from writing.
 *
 * `drop_expired` does what `retention` says. Anybody who sends may call it, for he cannot change what it says.
 */
export function partitions1(): string {
  return `
CREATE FUNCTION month_of(at double precision) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT date_trunc('month', to_timestamp(at), 'UTC')
$$;

/* Asks the table: what \`to_regclass\` remembers may be older than what another has just made. */
CREATE FUNCTION is_there(made text) RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM pg_class WHERE relname = made AND relnamespace = 'jobmeter'::regnamespace)
$$;

/* The month that a partition is named after; null for another table, of which the planner may ask as well. */
CREATE FUNCTION month_in(table_name name) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT CASE WHEN table_name ~ '_[0-9]{4}_[0-9]{2}$'
    THEN to_timestamp(right(table_name::text, 7) || '+00', 'YYYY_MMTZH') END
$$;

CREATE FUNCTION make_month(of_table text, month timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, jobmeter, pg_temp AS $$
DECLARE
  made text := of_table || to_char(month AT TIME ZONE 'UTC', '"_"YYYY"_"MM');
BEGIN
  IF is_there(made) THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('jobmeter partitions'));
  IF is_there(made) THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE jobmeter.%I (LIKE jobmeter.%I INCLUDING ALL)', made, of_table);
  IF of_table = 'attempt' THEN PERFORM make_words_index(made); END IF;
  EXECUTE format('ALTER TABLE jobmeter.%I ATTACH PARTITION jobmeter.%I FOR VALUES FROM (%L) TO (%L)',
    of_table, made, extract(epoch FROM month),
    extract(epoch FROM ((month AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'));
END
$$;

/*
 * The months that these moments are in, as far as they are kept, and the next two. Refuses what no clock can have meant and
 * what nobody has measured any more: whoever sends can have it called for every month that there was.
 */
CREATE FUNCTION make_months(moments double precision[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
DECLARE
  month timestamptz;
BEGIN
  FOR month IN
    SELECT DISTINCT month_of(at) FROM unnest(moments) AS at WHERE at >= kept_since('records')
    UNION SELECT month_of(extract(epoch FROM now() + ahead * interval '1 month'))
      FROM generate_series(0, 2) AS ahead
  LOOP
    IF month < now() - interval '10 years' OR month > now() + interval '1 year' THEN
      RAISE EXCEPTION 'no job starts in %', to_char(month, 'YYYY-MM') USING ERRCODE = 'datetime_field_overflow';
    END IF;
    PERFORM make_month('attempt', month);
    PERFORM make_month('sample_chunk', month);
  END LOOP;
END
$$;

/* When what is older than that is no longer kept: seconds since 1970, 0 where all is. */
CREATE FUNCTION kept_since(of_kind text) RETURNS double precision
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT coalesce((
    SELECT extract(epoch FROM month_of(extract(epoch FROM now() - months * interval '1 month')))
    FROM retention WHERE kind = of_kind), 0)::double precision
$$;

CREATE FUNCTION drop_months(of_table text, before double precision) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, jobmeter, pg_temp AS $$
DECLARE
  found text;
  dropped integer := 0;
BEGIN
  FOR found IN
    SELECT child.relname FROM pg_inherits
      JOIN pg_class AS child ON child.oid = inhrelid
      JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE parent.relname = of_table AND parent.relnamespace = 'jobmeter'::regnamespace
      AND extract(epoch FROM month_in(child.relname) + interval '1 month') <= before
  LOOP
    EXECUTE format('DROP TABLE jobmeter.%I', found);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;

/* Drops the months that nobody wants to keep; answers how many tables that were. */
CREATE FUNCTION drop_expired() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp SET lock_timeout = '5s' AS $$
DECLARE
  records_since double precision := kept_since('records');
  samples integer := drop_months('sample_chunk', greatest(records_since, kept_since('samples')));
  records integer := drop_months('attempt', records_since);
BEGIN
  IF records > 0 THEN
    DELETE FROM workflow WHERE created_at < records_since
      AND NOT EXISTS (SELECT 1 FROM attempt WHERE workflow_id = workflow.id)
      AND NOT EXISTS (SELECT 1 FROM run WHERE workflow_id = workflow.id
        AND coalesce(ended_at, started_at) >= records_since);
    DELETE FROM benchmark WHERE started_at < records_since
      AND NOT EXISTS (SELECT 1 FROM benchmark_run JOIN attempt USING (task_id) WHERE benchmark_id = benchmark.id);
  END IF;
  RETURN samples + records;
END
$$;

/* Those of these tasks of these users that are in the ledger, and whether somebody sent them whose rows the caller cannot see. */
CREATE FUNCTION known_tasks(tasks text[], users text[]) RETURNS TABLE (task_id text, is_of_another boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  WITH found AS MATERIALIZED (
    SELECT attempt.task_id, attempt."user" = asked."user" AS is_asked, source_id
    FROM unnest(tasks, users) AS asked (task, "user") JOIN attempt ON attempt.task_id = asked.task)
  SELECT found.task_id, bool_or(role <> session_user) FROM found JOIN source ON source.id = source_id
  WHERE is_asked GROUP BY found.task_id
$$;

/* The sources of the role that one of them belongs to: a ledger that came back from a backup goes on as another. */
CREATE FUNCTION sources_beside(of_source bigint) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT ARRAY(
    SELECT beside.id FROM source AS one JOIN source AS beside ON beside.role = one.role WHERE one.id = of_source)
$$;

SELECT make_months('{}');
`
}
