import fc from 'fast-check'

/** The same inputs every time, so that a failure can be repeated; others with JOBMETER_TEST_SEED. */
const usual = 20_261

const given = process.env['JOBMETER_TEST_SEED']
fc.configureGlobal({ seed: given === undefined ? usual : Number(given) })
