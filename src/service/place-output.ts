import type { RunNotice } from '../model/run-notice.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { claimOutput } from '../store/output-claim.ts'
import type { System } from '../system/system.ts'
import { OutputDirectory } from '../workflow/run/output-directory.ts'
import { UserError } from './user-error.ts'

const mostOutputs = 1000

/** Where logs and samples go: what was asked for, or `output.2` beside it where that is another ledger's. */
export function placeOutput(
  system: System,
  ledger: Ledger,
  asked: string,
  tell: (notice: RunNotice) => void,
): string {
  for (let number = 1; ; number += 1) {
    const directory = number === 1 ? asked : `${asked}.${number}`
    const trouble = new OutputDirectory(system.files, directory).make()
    if (trouble !== undefined)
      throw new UserError(
        `the output directory ${directory} cannot be written to (${trouble}). Name another with --output-dir`,
      )
    if (number > mostOutputs)
      throw new UserError(
        `${asked} and all the numbered directories beside it belong to other ledgers. Name another with --output-dir`,
      )
    if (!claimOutput(directory, ledger.path)) continue
    if (number > 1) tell({ kind: 'output elsewhere', asked, directory })
    return directory
  }
}
