import { useSignal, useSignalEffect, type Signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Which part of a drawing is seen: where its corner is in the window onto it, and how large it is. */
export interface View {
  readonly x: number
  readonly y: number
  readonly scale: number
}

interface Drawn {
  readonly width: number
  readonly height: number
}

const [smallest, largest] = [0.08, 2.5] as const
/** Names are read down to this. */
const readable = 0.7
const margin = 20
const zoomStep = 1.25
/** The buttons at the bottom hide nothing at first. */
const toolsHeight = 36

const scaleWithin = (scale: number): number => Math.min(largest, Math.max(smallest, scale))

/** The drawing as wide as the window, as long as it can be read; else from its beginning. */
function viewAtFirst(drawing: Drawn, width: number): View {
  const scale = Math.max(readable, Math.min(1, (width - 2 * margin) / drawing.width))
  const room = windowHeight(drawing, scale) - toolsHeight - drawing.height * scale
  return {
    x: Math.max(margin, (width - drawing.width * scale) / 2),
    y: Math.max(margin, room / 2),
    scale,
  }
}

/** All of it, however small. */
function viewOfAll(drawing: Drawn, width: number, height: number): View {
  const scale = scaleWithin(
    Math.min(1, (width - 2 * margin) / drawing.width, (height - 2 * margin) / drawing.height),
  )
  return {
    x: (width - drawing.width * scale) / 2,
    y: Math.max(margin, (height - drawing.height * scale) / 2),
    scale,
  }
}

/** Larger or smaller around a point, which stays where it is. */
function zoomed({ x, y, scale }: View, by: number, at: { x: number; y: number }): View {
  const next = scaleWithin(scale * by)
  const grown = next / scale
  return { x: at.x - (at.x - x) * grown, y: at.y - (at.y - y) * grown, scale: next }
}

/** How high the window onto a drawing is: no higher than needed, and never the whole screen. */
export const windowHeight = (drawing: Drawn, scale: number): number =>
  Math.round(
    Math.max(220, Math.min(0.74 * innerHeight, drawing.height * scale + 2 * margin + toolsHeight)),
  )

export interface Viewport {
  readonly view: Signal<View>
  readonly outer: RefObject<HTMLDivElement | null>
  readonly inner: RefObject<HTMLDivElement | null>
  readonly zoom: (by: 'in' | 'out') => void
  readonly fit: () => void
  readonly pan: (dx: number, dy: number) => void
  /** Moves what is outside into the window. */
  readonly reveal: (element: Element) => void
}

/** `shape`: is another where it is drawn another way, and to be seen from its beginning. */
export function useViewport(drawing: Drawn, shape: unknown): Viewport {
  const outer = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const view = useSignal<View>({ x: margin, y: margin, scale: 1 })
  useEffect(() => {
    if (outer.current !== null) view.value = viewAtFirst(drawing, outer.current.clientWidth)
  }, [shape])
  useSignalEffect(() => {
    const { x, y, scale } = view.value
    if (inner.current !== null)
      inner.current.style.transform = `translate(${x}px, ${y}px) scale(${scale})`
  })
  const pan = (dx: number, dy: number): void => {
    const { x, y, scale } = view.peek()
    view.value = { x: x + dx, y: y + dy, scale }
  }
  usePointer(outer, view, pan)
  const size = (): { width: number; height: number } => ({
    width: outer.current?.clientWidth ?? 0,
    height: outer.current?.clientHeight ?? 0,
  })
  return {
    view,
    outer,
    inner,
    pan,
    zoom: (by) => {
      const { width, height } = size()
      const middle = { x: width / 2, y: height / 2 }
      view.value = zoomed(view.peek(), by === 'in' ? zoomStep : 1 / zoomStep, middle)
    },
    fit: () => {
      const { width, height } = size()
      view.value = viewOfAll(drawing, width, height)
    },
    reveal: (element) => {
      const place = outer.current
      if (place === null) return
      // The browser scrolls what has the focus into view by itself, against what is meant here.
      place.scrollTo(0, 0)
      const [box, frame] = [element.getBoundingClientRect(), place.getBoundingClientRect()]
      pan(
        shift(box.left, box.right, frame.left + margin, frame.right - margin),
        shift(box.top, box.bottom, frame.top + margin, frame.bottom - margin),
      )
    },
  }
}

/** How far something must be moved to be between two edges; its beginning matters most. */
function shift(from: number, to: number, first: number, last: number): number {
  if (from < first || to - from > last - first) return first - from
  return to > last ? last - to : 0
}

const dragPixels = 4

/** Dragging moves the drawing, and the wheel with Ctrl makes it larger; the wheel alone scrolls the page. */
function usePointer(
  outer: RefObject<HTMLDivElement | null>,
  view: Signal<View>,
  pan: (dx: number, dy: number) => void,
): void {
  useEffect(() => {
    const place = outer.current
    if (place === null) return undefined
    let last: { x: number; y: number } | undefined
    let hasMoved = false
    const down = ({ button, clientX: x, clientY: y }: PointerEvent): void => {
      if (button !== 0) return
      last = { x, y }
      hasMoved = false
    }
    const move = ({ clientX: x, clientY: y, pointerId }: PointerEvent): void => {
      if (last === undefined) return
      if (!hasMoved && Math.hypot(x - last.x, y - last.y) < dragPixels) return
      if (!hasMoved) place.setPointerCapture(pointerId)
      hasMoved = true
      pan(x - last.x, y - last.y)
      last = { x, y }
    }
    const up = (): void => {
      last = undefined
    }
    // Who has dragged did not mean to click on what is under the pointer.
    const click = (event: MouseEvent): void => {
      if (!hasMoved) return
      event.preventDefault()
      event.stopPropagation()
      hasMoved = false
    }
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { left, top } = place.getBoundingClientRect()
      const at = { x: event.clientX - left, y: event.clientY - top }
      view.value = zoomed(view.peek(), Math.exp(-event.deltaY / 300), at)
    }
    const noDrag = (event: Event): void => event.preventDefault()
    place.addEventListener('pointerdown', down)
    place.addEventListener('pointermove', move)
    place.addEventListener('pointerup', up)
    place.addEventListener('pointercancel', up)
    place.addEventListener('click', click, true)
    place.addEventListener('dragstart', noDrag)
    place.addEventListener('wheel', wheel, { passive: false })
    return () => {
      place.removeEventListener('pointerdown', down)
      place.removeEventListener('pointermove', move)
      place.removeEventListener('pointerup', up)
      place.removeEventListener('pointercancel', up)
      place.removeEventListener('click', click, true)
      place.removeEventListener('dragstart', noDrag)
      place.removeEventListener('wheel', wheel)
    }
  }, [])
}
