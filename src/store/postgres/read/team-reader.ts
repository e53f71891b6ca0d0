import type { LedgerReader } from '../../ledger/ledger-reader.ts'
import { Questions } from './questions.ts'
import { TeamBenchmarks } from './team-benchmarks.ts'
import { TeamJobs } from './team-jobs.ts'
import { TeamWatch } from './team-watch.ts'
import { TeamWorkflows } from './team-workflows.ts'

/** A reader that can also be asked again and again what has changed. */
export interface TeamReader extends LedgerReader {
  readonly watch: TeamWatch
}

/** Opens a team ledger for questions; refuses a database that is none, or is of another version. */
export async function openTeamReader(
  address: string,
  onProblem: (problem: string) => void = () => {},
  answerSeconds?: number,
): Promise<TeamReader> {
  const questions = new Questions(address, onProblem, answerSeconds)
  try {
    await questions.refuseOthers()
  } catch (error) {
    await questions.close()
    throw error
  }
  return {
    path: questions.path,
    watch: new TeamWatch(questions),
    jobs: new TeamJobs(questions),
    workflows: new TeamWorkflows(questions),
    benchmarks: new TeamBenchmarks(questions),
    close: () => questions.close(),
  }
}
