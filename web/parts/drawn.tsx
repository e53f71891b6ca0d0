import { useLayoutEffect, useRef } from 'preact/hooks'

/** What plain scripts draw, those that reports are drawn with too, in its place on a page. */
export function Drawn({
  make,
  of,
}: {
  readonly make: () => readonly Node[]
  /** It is drawn anew when this is another. */
  readonly of: unknown
}) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(...make()), [of])
  return <div ref={place} />
}
