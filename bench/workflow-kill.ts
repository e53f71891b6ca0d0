import { workflowStorm } from '../test/endings/workflow-storm.ts'
import { verdict } from './verdict.ts'

/** The runner of a 200-job diamond killed at random moments, and resumed each time. */
const kills = Number(process.env['JOBMETER_KILLS'] ?? 100)

const storm = await workflowStorm(kills)
for (const problem of storm.problems) console.log(problem)
console.log(
  `${storm.kills} kills in ${storm.diamonds} diamonds, ${storm.runs} runs: ` +
    `${storm.successes} successes, ${storm.interrupted} attempts interrupted and run again`,
)
verdict('results lost, doubled or wrong', storm.problems.length, 0, '')
