import type { FileSettings } from '../sqlite/open-private.ts'
import { openStepped } from '../sqlite/open-stepped.ts'
import { AlertStore } from './alert-store.ts'

/** Marks the file as ours: "JMal". */
const applicationId = 0x4a4d616c

/**
 * `alert`: what fires or fired. `holder`: the attempts that still see it, with their runner. `delivery`: a notice on its
 * way to one channel of one configuration; those that go out as one message have the same `batch`.
 */
const alerts1 = `
  CREATE TABLE alert (
    alert_id TEXT PRIMARY KEY, key TEXT NOT NULL, rule TEXT NOT NULL, severity TEXT NOT NULL,
    subject TEXT NOT NULL, text TEXT NOT NULL, metric TEXT NOT NULL, value REAL, threshold REAL,
    fired_at REAL NOT NULL, resolved_at REAL, resolved_because TEXT
  ) STRICT;
  CREATE UNIQUE INDEX alert_firing ON alert (key) WHERE resolved_at IS NULL;
  CREATE INDEX alert_by_time ON alert (fired_at);
  CREATE TABLE holder (
    alert_id TEXT NOT NULL, task_id TEXT NOT NULL, owner TEXT NOT NULL, since REAL NOT NULL,
    PRIMARY KEY (alert_id, task_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE delivery (
    delivery_id INTEGER PRIMARY KEY, notice_id TEXT NOT NULL, alert_id TEXT NOT NULL,
    kind TEXT NOT NULL, config TEXT NOT NULL, channel TEXT NOT NULL, notice TEXT NOT NULL,
    queued_at REAL NOT NULL, batch TEXT, due_at REAL NOT NULL, claimed_until REAL NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0, last_error TEXT, delivered_at REAL, given_up_at REAL,
    UNIQUE (notice_id, config, channel)
  ) STRICT;
  CREATE INDEX delivery_waiting ON delivery (config, channel)
    WHERE delivered_at IS NULL AND given_up_at IS NULL;
  CREATE INDEX delivery_by_alert ON delivery (alert_id);`

/** Who has taken note of an alert, and when. */
const alerts2 = `
  ALTER TABLE alert ADD COLUMN acknowledged_at REAL;
  ALTER TABLE alert ADD COLUMN acknowledged_by TEXT;`

const alertsFile = { applicationId, steps: [alerts1, alerts2] }

/** Opens what is known of alerts, and makes it where there is none. */
export const openAlerts = (path: string, settings: FileSettings = {}): AlertStore =>
  openStepped(path, alertsFile, settings, (connection) => new AlertStore(connection))
