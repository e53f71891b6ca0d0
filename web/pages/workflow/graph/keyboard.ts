import type { Viewport } from './viewport.ts'

const panPixels = 80

const directions: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Arrows go to what is next in that direction, with Shift they move the drawing; + - 0 make it larger, smaller, fit. */
export function graphKey(event: KeyboardEvent, { pan, zoom, fit, outer }: Viewport): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const direction = directions[event.key]
  if (direction !== undefined) {
    const [dx, dy] = direction
    if (event.shiftKey) pan(-dx * panPixels, -dy * panPixels)
    else if (outer.current !== null) nextNode(outer.current, dx, dy)?.focus({ preventScroll: true })
  } else if (event.key === '+' || event.key === '=') zoom('in')
  else if (event.key === '-') zoom('out')
  else if (event.key === '0') fit()
  else return
  event.preventDefault()
}

/** The nearest in a direction: what is straight ahead is nearer than what is to the side. */
function nextNode(place: HTMLElement, dx: number, dy: number): HTMLElement | undefined {
  const from = document.activeElement
  if (from === null || !place.contains(from)) return undefined
  const middle = (element: Element): { x: number; y: number } => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }
  const start = middle(from)
  let nearest: HTMLElement | undefined
  let least = Infinity
  for (const node of place.querySelectorAll<HTMLElement>('[data-node]')) {
    if (node === from) continue
    const { x, y } = middle(node)
    const [ahead, aside] =
      dx === 0 ? [(y - start.y) * dy, x - start.x] : [(x - start.x) * dx, y - start.y]
    if (ahead < 2) continue
    const distance = ahead + 2.5 * Math.abs(aside)
    if (distance < least) [nearest, least] = [node, distance]
  }
  return nearest
}
