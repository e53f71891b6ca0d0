import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { visits } from '../route.ts'

let focusedVisit = 0

/** The heading of a page and its title. Who went to the page gets its heading read out: the focus moves there. */
export function Title({
  name,
  children,
}: {
  readonly name: string
  readonly children?: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${name} – jobmeter`
  }, [name])
  useEffect(() => {
    if (visits.value === focusedVisit) return
    focusedVisit = visits.value
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? name}
    </h1>
  )
}
