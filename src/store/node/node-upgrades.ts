/** Rounds of version 2. It does not follow the schema, which goes on to change: what a step makes is what the next begins with. */
const numbers = `span_ms lost_records cores memory_total_kib gpus gpu_memory_total_kib load_milli
  swap_kib io_wait_us net_received_bytes net_sent_bytes`.split(/\s+/)
const figures = `cpu_us read_bytes write_bytes gpu_us energy_mj memory_kib_ms gpu_memory_kib_ms
  short_processes short_cpu_us cpu_peak_millicores memory_peak_kib gpu_memory_peak_kib
  processes_peak threads_peak zombies_peak`.split(/\s+/)
const mandatory = ['span_ms', 'lost_records']
const column = (name: string): string =>
  `${name} INTEGER${mandatory.includes(name) ? ' NOT NULL' : ''}`

/** Imported rounds lose their numbers, and epochs that nobody told their word; users get back the accounts of their jobs. */
const from1To2 = `
  ALTER TABLE round RENAME TO old_round;
  CREATE TABLE round (
    host_id INTEGER NOT NULL, at_ms INTEGER NOT NULL, number INTEGER, epoch TEXT,
    ${numbers.map(column).join(', ')}, core_us TEXT NOT NULL, ${figures.map(column).join(', ')},
    PRIMARY KEY (host_id, at_ms), UNIQUE (host_id, number)
  ) WITHOUT ROWID;
  INSERT INTO round SELECT host_id, at_ms,
    CASE WHEN epoch = 'unknown' OR epoch LIKE 'booted %' THEN NULL ELSE number END,
    nullif(epoch, 'unknown'), ${[...numbers, 'core_us', ...figures].join(', ')} FROM old_round;
  DROP TABLE old_round;
  INSERT OR IGNORE INTO user_words SELECT user_id, account_id, command_id FROM job;
  CREATE INDEX violation_open ON violation (host_id) WHERE spared IS NULL AND resolved_ms IS NULL;
  ALTER TABLE past_stretch RENAME TO imported_stretch;
  ALTER TABLE past_hour RENAME TO imported_hour;
  ALTER TABLE past_capacity RENAME TO imported_capacity;
  ALTER TABLE past_slurm_job RENAME TO imported_slurm_job;`

/** Each brings a database of its version, from 1 on, to the next. */
export const nodeUpgrades: readonly string[] = [from1To2]
