/** What a recording needs of the ledger once its job has lasted a while; loaded only then. */
export { LifeSign, signPath } from '../store/life-sign.ts'
export { openSeriesFile, seriesPath } from '../store/sqlite/series-file.ts'
export { openLedger } from './open-ledger.ts'
