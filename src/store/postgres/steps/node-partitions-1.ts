/**
 * Partitions of so many days each, counted from 1970: what is kept for a fortnight is in weeks, what is kept for years in
 * quarters. `make_node_parts` makes those that a batch belongs to, and the next; `drop_node_expired` drops those that are
 * older than `node_retention` says. Anybody who sends may call both.
 */
export function nodePartitions1(): string {
  return `
CREATE TABLE node_retention (
  kind text PRIMARY KEY CHECK (kind IN ('rounds', 'five minutes', 'hours')),
  days integer NOT NULL CHECK (days > 0)
);
INSERT INTO node_retention VALUES ('rounds', 14), ('five minutes', 90), ('hours', 730);

CREATE TABLE node_part (of_table text PRIMARY KEY, kind text NOT NULL, days bigint NOT NULL);
INSERT INTO node_part VALUES
  ('node_round', 'rounds', 7), ('node_job_raw', 'rounds', 7),
  ('node_5m', 'five minutes', 28), ('node_job_5m', 'five minutes', 28), ('node_device_5m', 'five minutes', 28),
  ('node_hour', 'hours', 112), ('node_job_hour', 'hours', 112), ('node_usage_hour', 'hours', 112),
  ('node_usage_user_hour', 'hours', 112), ('node_device_hour', 'hours', 112);

/* Since when what is of this kind is kept, in milliseconds since 1970. */
CREATE FUNCTION node_kept_since(of_kind text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT coalesce((
    SELECT (extract(epoch FROM now()) * 1000)::bigint - days::bigint * 86400000
    FROM node_retention WHERE kind = of_kind), 0)
$$;

CREATE FUNCTION make_node_parts(from_ms bigint, to_ms bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
DECLARE
  part record;
  size bigint;
  made text;
BEGIN
  IF from_ms < 0 OR to_ms > (extract(epoch FROM now()) * 1000)::bigint + 366 * 86400000::bigint THEN
    RAISE EXCEPTION 'no agent looked at %', to_timestamp(to_ms / 1000) USING ERRCODE = 'datetime_field_overflow';
  END IF;
  FOR part IN SELECT * FROM node_part LOOP
    size := part.days * 86400000;
    FOR place IN greatest(from_ms, node_kept_since(part.kind)) / size .. to_ms / size + 1 LOOP
      made := part.of_table || '_' || place;
      CONTINUE WHEN to_regclass('jobmeter.' || made) IS NOT NULL;
      PERFORM pg_advisory_xact_lock(hashtext('jobmeter partitions'));
      CONTINUE WHEN to_regclass('jobmeter.' || made) IS NOT NULL;
      EXECUTE format('CREATE TABLE jobmeter.%I (LIKE jobmeter.%I INCLUDING ALL)', made, part.of_table);
      EXECUTE format('ALTER TABLE jobmeter.%I ATTACH PARTITION jobmeter.%I FOR VALUES FROM (%L) TO (%L)',
        part.of_table, made, place * size, (place + 1) * size);
    END LOOP;
  END LOOP;
END
$$;

/* Answers how many tables were dropped. Jobs and findings, of which there is one row each, are deleted. */
CREATE FUNCTION drop_node_expired() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
DECLARE
  found record;
  dropped integer := 0;
BEGIN
  SET LOCAL lock_timeout = '5s';
  FOR found IN
    SELECT child.relname FROM node_part
      JOIN pg_class AS parent ON parent.relname = of_table AND parent.relnamespace = 'jobmeter'::regnamespace
      JOIN pg_inherits ON inhparent = parent.oid
      JOIN pg_class AS child ON child.oid = inhrelid
    WHERE (substring(child.relname FROM '[0-9]+$')::bigint + 1) * days * 86400000 <= node_kept_since(kind)
  LOOP
    EXECUTE format('DROP TABLE jobmeter.%I', found.relname);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM node_job WHERE last_ms < node_kept_since('hours');
  DELETE FROM node_violation WHERE last_ms < node_kept_since('hours');
  RETURN dropped;
END
$$;
`
}
