/** Where the words of SQLite and PostgreSQL for the same thing differ. */
export interface NodeDialect {
  readonly least: (one: string, other: string) => string
  readonly greatest: (one: string, other: string) => string
  /** Whether one text is a part of another. */
  readonly contains: (text: string, part: string) => string
  /** So that sums of it are exact to 16 digits, however large they are. */
  readonly forSums: (column: string) => string
  /** Joins the rows `core (key, value)` of the busy microseconds of each core of a round. */
  readonly cores: string
  /** Whether rows are gone through in their order faster than the row before each is looked up. */
  readonly windowsAreFast: boolean
  /** When the latest round of a host was taken. */
  readonly latestRoundMs: (hostId: string) => string
}

export const sqliteNodes: NodeDialect = {
  least: (one, other) => `min(${one}, ${other})`,
  greatest: (one, other) => `max(${one}, ${other})`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  // A year of fifty nodes of 256 GiB is more than 64 bits can count.
  forSums: (column) => `CAST(${column} AS REAL)`,
  windowsAreFast: false,
  cores: 'JOIN json_each(core_us) AS core',
  /**
   * The last round of an agent is the one with the highest number: the clock may have been set back since an earlier one.
   * Imported rounds have no number and come in any order: the one of the latest moment counts if it is later than the
   * agent's last.
   */
  latestRoundMs: (hostId) => `
    (SELECT max(at_ms) FROM (
      SELECT max(at_ms) AS at_ms FROM round WHERE host_id = ${hostId} AND number IS NULL
      UNION ALL
      SELECT at_ms FROM (SELECT at_ms FROM round WHERE host_id = ${hostId} AND number IS NOT NULL
        ORDER BY number DESC LIMIT 1) AS of_agent) AS rounds)`,
}

export const postgresNodes: NodeDialect = {
  least: (one, other) => `least(${one}, ${other})`,
  greatest: (one, other) => `greatest(${one}, ${other})`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  // Sums of whole numbers are exact there.
  forSums: (column) => column,
  windowsAreFast: true,
  cores: `CROSS JOIN LATERAL (SELECT position - 1, value::double precision
    FROM json_array_elements_text(core_us::json) WITH ORDINALITY AS list (value, position)) AS core (key, value)`,
  // Whoever sends rounds sees to it.
  latestRoundMs: (hostId) => `(SELECT latest_ms FROM host AS seen WHERE seen.id = ${hostId})`,
}
