import { byId, element } from '../dom.ts'

/** What is said of the thing that is pointed at, beside the pointer and within the window. */
export function showTip(event: MouseEvent, lines: readonly string[]): void {
  const tip = byId('tip')
  const [first = '', ...others] = lines
  tip.replaceChildren(
    element('strong', {}, first),
    ...others.map((line) => element('span', {}, line)),
  )
  tip.hidden = false
  const box = tip.getBoundingClientRect()
  const left = Math.max(4, Math.min(innerWidth - box.width - 4, event.clientX + 14))
  const below = event.clientY + 18
  tip.style.left = `${left}px`
  tip.style.top = `${below + box.height > innerHeight ? event.clientY - box.height - 10 : below}px`
}

export function hideTip(): void {
  byId('tip').hidden = true
}

/** Has a chart say something of each place in it; of places of which there is nothing to say, nothing. */
export function tellOf(
  chart: SVGElement,
  linesAt: (event: MouseEvent) => readonly string[] | undefined,
): void {
  chart.addEventListener('pointermove', (event) => {
    const lines = linesAt(event)
    if (lines === undefined) hideTip()
    else showTip(event, lines)
  })
  chart.addEventListener('pointerleave', hideTip)
}

/** The index that the group under the pointer has as `data-…`, or none. */
export function indexUnder({ target }: Event, name: 'job' | 'group'): number | undefined {
  const found = target instanceof Element ? target.closest<SVGElement>(`[data-${name}]`) : null
  return found === null ? undefined : Number(found.dataset[name])
}
