/** Whoever looks at another tab for a moment finds this one as it was. */
const graceMilliseconds = 4000

/**
 * Holds a connection only while the tab is shown. A browser opens six to a server at most, over all tabs: some tabs in
 * the background that hold one each would leave none for the tab that is looked at. `open` answers what closes it.
 */
export function whileShown(open: () => () => void): () => void {
  let close: (() => void) | undefined = open()
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = (): void => {
    close?.()
    close = undefined
  }
  const look = (): void => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(leave, graceMilliseconds)
    else close ??= open()
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    clearTimeout(timer)
    leave()
  }
}
