/** Draws what is in a place for the width it has, and again when that changes. Answers how to draw it anew. */
export function keepDrawn(place: HTMLElement, draw: (width: number) => void): () => void {
  let width = 0
  const redraw = (): void => {
    // A page that changes without being loaded again takes places away.
    if (!place.isConnected) return removeEventListener('resize', redraw)
    const { paddingLeft, paddingRight } = getComputedStyle(place)
    const room = place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    const now = Math.max(280, Math.floor(room))
    if (now === width) return
    width = now
    draw(now)
  }
  addEventListener('resize', redraw)
  redraw()
  return () => {
    width = 0
    redraw()
  }
}
