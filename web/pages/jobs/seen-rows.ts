import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** As style/jobs.css has it; on a telephone a row has more lines. */
const [wideRowPixels, narrowRowPixels] = [52, 84] as const
const narrow = matchMedia('(max-width: 44rem)')

/** Rows are drawn in groups, and some beyond the window: scrolling a little draws nothing anew. */
const group = 10
const beyond = 20

/** Which rows of a long table are in the window, or near it. */
export function useSeenRows(
  table: RefObject<HTMLElement | null>,
  rows: number,
): { readonly first: number; readonly last: number; readonly rowPixels: number } {
  const top = useSignal(0)
  const rowPixels = useSignal(narrow.matches ? narrowRowPixels : wideRowPixels)
  const height = useSignal(innerHeight)
  useEffect(() => {
    const look = (): void => {
      rowPixels.value = narrow.matches ? narrowRowPixels : wideRowPixels
      height.value = innerHeight
      const above = -(table.current?.getBoundingClientRect().top ?? 0)
      top.value = Math.max(0, Math.floor(above / rowPixels.value / group) * group)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [])
  const seen = Math.ceil(height.value / rowPixels.value / group) * group
  const first = Math.max(0, Math.min(top.value, rows - 1) - beyond)
  return {
    first,
    last: Math.min(rows, top.value + seen + group + beyond),
    rowPixels: rowPixels.value,
  }
}
