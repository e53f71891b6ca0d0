/** What a recording needs of the ledger once its job has lasted a while; loaded only then. */
export { LifeSign } from '../store/spool/life-sign.ts'
export { makeSeriesFile } from '../store/series/series-file.ts'
export { seriesFolder } from '../store/series/series-path.ts'
export { openLedgerToWrite } from './open-ledger.ts'
export { OpenedAttempt } from './opened-attempt.ts'
