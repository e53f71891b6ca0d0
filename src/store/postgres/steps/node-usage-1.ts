import { amounts } from './node-columns-1.ts'

/**
 * What each user used in an hour, over all hosts and commands: most questions need no more, and it has a small part of the
 * rows. Hosts send the same hours at different times and again, so nothing is added to a sum: `fold_usage`, which whoever
 * sends calls now and then, sums hours up afresh.
 *
 * `node_usage_users` answers exactly at any moment. An hour is taken from `node_usage_user_hour` if it is before
 * `node_usage_folded` and not in `node_usage_changed`, else from the rows of the hosts. Whoever changes an hour that is over
 * for an hour notes it there; later hours need no note, because only those that are over for two are summed up, and no
 * transaction of a sender lasts for an hour. Notes are only added, one for each change: the one that was there might just be
 * taken away by somebody who cannot see the change yet.
 */
export function nodeUsage1(): string {
  return `
CREATE TABLE node_usage_user_hour (
  at_ms bigint NOT NULL, user_id bigint NOT NULL, account_id bigint NOT NULL,
  ${amounts.map((name) => `${name} bigint`).join(', ')}, PRIMARY KEY (at_ms, user_id, account_id)
) PARTITION BY RANGE (at_ms);
CREATE INDEX node_usage_user_hour_by_user ON node_usage_user_hour (user_id, at_ms);
CREATE TABLE node_usage_changed (at_ms bigint NOT NULL);
CREATE INDEX node_usage_changed_by_time ON node_usage_changed (at_ms);
CREATE TABLE node_usage_folded (before_ms bigint NOT NULL);
INSERT INTO node_usage_folded VALUES (0);

CREATE VIEW node_usage_users AS
  SELECT at_ms, user_id, account_id, ${amounts.join(', ')} FROM node_usage_user_hour
  WHERE at_ms < (SELECT before_ms FROM node_usage_folded)
    AND at_ms NOT IN (SELECT at_ms FROM node_usage_changed)
  UNION ALL SELECT at_ms, user_id, account_id, ${amounts.join(', ')} FROM node_usage_hour
  WHERE at_ms >= (SELECT before_ms FROM node_usage_folded)
  UNION ALL SELECT at_ms, user_id, account_id, ${amounts.join(', ')} FROM node_usage_hour
  WHERE at_ms < (SELECT before_ms FROM node_usage_folded)
    AND at_ms = ANY (ARRAY(SELECT DISTINCT at_ms FROM node_usage_changed));

/* The last hour that has been over for so many hours, in milliseconds since 1970. */
CREATE FUNCTION node_hour_before(hours integer) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT (floor(extract(epoch FROM now()) / 3600)::bigint - hours) * 3600000
$$;

CREATE FUNCTION note_changed_usage() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
BEGIN
  INSERT INTO node_usage_changed SELECT DISTINCT at_ms FROM changed WHERE at_ms < node_hour_before(1);
  RETURN NULL;
END
$$;
${noted('INSERT', 'NEW')}
${noted('UPDATE', 'NEW')}
${noted('DELETE', 'OLD')}

CREATE FUNCTION fold_usage_hour(hour bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, jobmeter, pg_temp AS $$
BEGIN
  DELETE FROM node_usage_changed WHERE at_ms = hour;
  DELETE FROM node_usage_user_hour WHERE at_ms = hour;
  INSERT INTO node_usage_user_hour (at_ms, user_id, account_id, ${amounts.join(', ')})
    SELECT at_ms, user_id, account_id, ${amounts.map((name) => `sum(${name})::bigint`).join(', ')}
    FROM node_usage_hour WHERE at_ms = hour GROUP BY at_ms, user_id, account_id;
EXCEPTION WHEN numeric_value_out_of_range THEN
  -- A sum that is too large for one number: the hour stays one of rows.
  INSERT INTO node_usage_changed SELECT hour WHERE NOT EXISTS (SELECT 1 FROM node_usage_changed WHERE at_ms = hour);
END
$$;

/* Sums up hours that are over or have changed, some hundred at most; answers how many. */
CREATE FUNCTION fold_usage() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
DECLARE
  next_ms bigint;
  ends bigint;
  hour bigint;
  done integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('jobmeter usage')) THEN RETURN 0; END IF;
  SELECT before_ms, greatest(before_ms, node_hour_before(2)) INTO next_ms, ends FROM node_usage_folded;
  FOR hour IN SELECT DISTINCT at_ms FROM node_usage_changed WHERE at_ms < next_ms LIMIT 500 LOOP
    PERFORM fold_usage_hour(hour);
    done := done + 1;
  END LOOP;
  WHILE done < 500 AND next_ms < ends LOOP
    SELECT min(at_ms) INTO hour FROM node_usage_hour WHERE at_ms >= next_ms AND at_ms < ends;
    EXIT WHEN hour IS NULL;
    PERFORM fold_usage_hour(hour);
    next_ms := hour + 3600000;
    done := done + 1;
  END LOOP;
  IF done < 500 THEN next_ms := ends; END IF;
  UPDATE node_usage_folded SET before_ms = next_ms WHERE before_ms < next_ms;
  RETURN done;
END
$$;
REVOKE ALL ON FUNCTION fold_usage, fold_usage_hour FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_usage TO jobmeter_node;
`
}

const noted = (event: 'INSERT' | 'UPDATE' | 'DELETE', side: 'NEW' | 'OLD'): string => `
CREATE TRIGGER note_${event.toLowerCase()} AFTER ${event} ON node_usage_hour
  REFERENCING ${side} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_usage();`
