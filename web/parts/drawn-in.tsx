import { useLayoutEffect, useRef } from 'preact/hooks'

/** What plain scripts draw as wide as their place is: they are given the place once it is in the page. */
export function DrawnIn({
  draw,
  of,
}: {
  readonly draw: (place: HTMLElement) => void
  /** It is drawn anew when this is another. */
  readonly of: unknown
}) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (place.current === null) return
    // Who has scrolled down stays there while it is drawn.
    place.current.style.minHeight = `${place.current.offsetHeight}px`
    place.current.replaceChildren()
    draw(place.current)
    place.current.style.minHeight = ''
  }, [of])
  return <div ref={place} />
}
