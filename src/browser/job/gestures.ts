/** What fingers and keys do to the charts; the mouse is uPlot's. */
export interface Gestures {
  range(): readonly [from: number, to: number]
  /** The moment under a place on the screen. */
  secondsAt(clientX: number): number | null
  point(seconds: number | null): void
  /** To the next sample in this direction. */
  step(direction: 1 | -1): void
  zoom(factor: number): void
  setRange(from: number, to: number): void
  reset(): void
}

const keysOf: Readonly<Record<string, (gestures: Gestures) => void>> = {
  ArrowLeft: (gestures) => gestures.step(-1),
  ArrowRight: (gestures) => gestures.step(1),
  '+': (gestures) => gestures.zoom(0.5),
  '=': (gestures) => gestures.zoom(0.5),
  '-': (gestures) => gestures.zoom(2),
  '0': (gestures) => gestures.reset(),
  Escape: (gestures) => gestures.point(null),
}

export function takeKeys(host: HTMLElement, gestures: Gestures): void {
  host.addEventListener('keydown', (event) => {
    const act = keysOf[event.key]
    if (act === undefined || event.target !== host || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    act(gestures)
  })
}

/** One finger moves the cursor, two zoom. A finger that goes up or down scrolls the page. */
export function takeTouches(host: HTMLElement, gestures: Gestures): void {
  const fingers = new Map<number, number>()
  let pinched: { readonly apart: number; readonly range: readonly [number, number] } | undefined
  const apart = (): number => {
    const [one = 0, other = 0] = [...fingers.values()]
    return Math.max(10, Math.abs(one - other))
  }
  const begin = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') return
    fingers.set(event.pointerId, event.clientX)
    pinched = fingers.size === 2 ? { apart: apart(), range: gestures.range() } : undefined
  }
  const move = (event: PointerEvent): void => {
    if (!fingers.has(event.pointerId)) return
    fingers.set(event.pointerId, event.clientX)
    if (fingers.size === 1) gestures.point(gestures.secondsAt(event.clientX))
    if (pinched === undefined) return
    const [from, to] = pinched.range
    const [middle, half] = [(from + to) / 2, ((to - from) / 2) * (pinched.apart / apart())]
    gestures.setRange(middle - half, middle + half)
  }
  const end = (event: PointerEvent): void => {
    fingers.delete(event.pointerId)
    pinched = undefined
  }
  host.addEventListener('pointerdown', begin)
  host.addEventListener('pointermove', move)
  host.addEventListener('pointerup', end)
  host.addEventListener('pointercancel', end)
}
