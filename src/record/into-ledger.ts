/** What a recording needs of the ledger once its job has lasted a while; loaded only then. */
export { LifeSign } from '../store/spool/life-sign.ts'
export { AttemptSeriesFile } from './attempt-series-file.ts'
export { openLedgerToWrite } from './open-ledger.ts'
export { OpenedAttempt } from './opened-attempt.ts'
