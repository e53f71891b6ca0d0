import type { AlertScope } from '../model/alert.ts'
import { endFigureNames } from './evaluate/end-figures.ts'
import { gpuFigureNames } from './evaluate/gpu-figures.ts'
import { jobFigureNames } from './evaluate/job-figures.ts'

/** `gpu_0_util`: a figure of one card, for rules that look at a job as a whole. */
export const numberedGpu = /^gpu_(\d{1,3})_(.+)$/

/** The figures that a rule may speak of. */
export function figureNames(at: 'look' | 'end', scope: AlertScope): readonly string[] {
  if (at === 'end') return endFigureNames
  return scope === 'gpu' ? gpuFigureNames : jobFigureNames
}

export function isFigure(at: 'look' | 'end', scope: AlertScope): (name: string) => boolean {
  const names = new Set(figureNames(at, scope))
  return (name) => names.has(name) || (at === 'look' && scope !== 'gpu' && isNumbered(name))
}

function isNumbered(name: string): boolean {
  const [, , figure = ''] = numberedGpu.exec(name) ?? []
  return gpuFigureNames.includes(`gpu_${figure}`)
}
