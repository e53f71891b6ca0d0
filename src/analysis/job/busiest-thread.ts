import { isLowerBound } from '../../model/measured.ts'
import { threadNameIn } from '../../model/thread-basis.ts'
import { furtherFigures, type Usage } from '../../model/usage.ts'

/** The thread that used most CPU time, where threads were measured. */
export interface BusiestThread {
  readonly name: string
  /** Of the time that the job ran. */
  readonly share: number
  readonly isLowerBound: boolean
}

export function busiestThread(usage: Usage): BusiestThread | undefined {
  const [, figure] = furtherFigures(usage).find(([key]) => key === 'busiestThreadPercent') ?? []
  if (figure === undefined || figure.value === null) return undefined
  const name = threadNameIn(figure.basis)
  if (name === undefined) return undefined
  // A program may name its threads as it likes, and this is shown on terminals.
  return {
    name: name.replaceAll(/\p{Cc}/gu, '?'),
    share: figure.value / 100,
    isLowerBound: isLowerBound(figure),
  }
}
