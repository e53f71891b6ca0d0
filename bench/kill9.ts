import { killStorm } from '../test/endings/kill-storm.ts'
import { sandbox } from '../test/program.ts'
import { prepare } from './outside.ts'
import { verdict } from './verdict.ts'

/** jobmeter killed at random moments, many times over, on one ledger. */
const kills = Number(process.env['JOBMETER_KILLS'] ?? 200)

prepare()
using box = sandbox()
const report = await killStorm(box, kills)
for (const problem of report.problems) console.log(problem)
console.log(
  `${kills} jobs: ${report.finished} ended before the blow, ${report.interrupted} interrupted, ` +
    `${report.completed} killed after their record was whole, ` +
    `${report.unrecorded} killed before they were written down`,
)
verdict('records lost, left running or doubled', report.problems.length, 0, '')
