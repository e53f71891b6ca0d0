import { useEffect, useRef } from 'preact/hooks'

/** The server has a job a moment after events told of it. Many that begin one after another are asked about together. */
const askMilliseconds = 1500

/** Only the server can tell whether some jobs belong to the list: it is asked whenever there are others in doubt. */
export function useAskAbout(doubtful: string, ask: () => void): void {
  const latest = useRef({ doubtful, ask })
  latest.current = { doubtful, ask }
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const askLater = (): void => {
    const asked = latest.current.doubtful
    timer.current = setTimeout(() => {
      timer.current = undefined
      latest.current.ask()
      if (latest.current.doubtful !== asked) askLater()
    }, askMilliseconds)
  }
  useEffect(() => {
    if (doubtful !== '' && timer.current === undefined) askLater()
  }, [doubtful])
  useEffect(() => () => clearTimeout(timer.current), [])
}
