import type { LiveAlert } from '../../model/live.ts'
import { FollowedFile } from '../sqlite/followed-file.ts'
import { FollowedReader } from '../sqlite/followed-reader.ts'
import { instantOrNull, number, textOrNull, type Row } from '../sqlite/row.ts'
import { alertOf } from './alert-store.ts'

const inOrder = 'ORDER BY fired_at, rowid'

export interface WatchedAlert {
  readonly rowId: number
  readonly alert: LiveAlert
}

/** What is known of alerts, in a file that others write to. Nothing is written, and nobody is kept from writing. */
export class AlertWatch extends FollowedReader {
  /** Undefined where no alert ever fired. Throws where the file cannot be read. */
  static open(path: string): AlertWatch | undefined {
    const file = FollowedFile.open(path)
    if (file === undefined) return undefined
    const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'alert'"
    try {
      if (file.connection.row(sql) !== undefined) return new AlertWatch(file)
    } catch (error) {
      file.close()
      throw error
    }
    file.close()
    return undefined
  }

  /** Those that fire. */
  firing(): WatchedAlert[] {
    return this.#alerts(`WHERE resolved_at IS NULL ${inOrder}`)
  }

  newestRow(): number {
    const row = this.file.connection.row('SELECT coalesce(max(rowid), 0) AS id FROM alert')
    return number(row ?? {}, 'id')
  }

  /** Those that fire, those that were added after this row, and these, as far as they are kept. */
  news(afterRow: number, alertIds: readonly string[]): WatchedAlert[] {
    return this.#alerts(
      `WHERE resolved_at IS NULL OR rowid > ? OR alert_id IN (SELECT value FROM json_each(?)) ${inOrder}`,
      afterRow,
      JSON.stringify(alertIds),
    )
  }

  #alerts(which: string, ...values: (string | number)[]): WatchedAlert[] {
    const sql = `SELECT rowid AS row_id, * FROM alert ${which}`
    return this.file.connection.mapSound(sql, values, (row) => ({
      rowId: number(row, 'row_id'),
      alert: liveAlertOf(row),
    }))
  }
}

/** A file that an older build wrote knows nothing of who has acknowledged what. */
const liveAlertOf = (row: Row): LiveAlert => ({
  ...alertOf(row),
  acknowledgedAt: 'acknowledged_at' in row ? instantOrNull(row, 'acknowledged_at') : null,
  acknowledgedBy: 'acknowledged_by' in row ? textOrNull(row, 'acknowledged_by') : null,
})
