import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A window over the page, which Escape closes; the focus goes back to where it was. */
export function Dialog({
  id,
  title,
  isOpen,
  close,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly isOpen: boolean
  readonly close: () => void
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal()
    else if (!isOpen) dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} aria-labelledby={`${id}-title`} onClose={close}>
      <h2 id={`${id}-title`}>{title}</h2>
      {isOpen && children}
    </dialog>
  )
}
