import { Problem } from '../problem.ts'

/** A server of a team ledger shows what other machines have recorded; it does not reach them. */
export function refuseInTeam(): never {
  throw new Problem(
    409,
    'This server answers from a team ledger, which is only read. Do it on the machine that runs the job or keeps the workflow.',
  )
}
