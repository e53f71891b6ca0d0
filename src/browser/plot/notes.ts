/** The notes of a plot, which are listed by weight. */
export class Notes {
  readonly #hidden = new Set<number>()

  /** One that has no room beside those before it, or in the window, is not shown. */
  fit(plot: HTMLElement): void {
    const placed: DOMRect[] = []
    this.#hidden.clear()
    for (const note of plot.querySelectorAll<SVGElement>('.annotation')) {
      const box = note.getBoundingClientRect()
      const hasRoom =
        box.right <= innerWidth && box.left >= 0 && placed.every((other) => areApart(box, other))
      note.style.visibility = hasRoom ? '' : 'hidden'
      if (hasRoom) placed.push(box)
      else this.#hidden.add(Number(note.dataset['index']))
    }
  }

  isHidden(index: number): boolean {
    return this.#hidden.has(index)
  }
}

const areApart = (one: DOMRect, other: DOMRect): boolean =>
  one.right + 4 <= other.left ||
  other.right + 4 <= one.left ||
  one.bottom <= other.top ||
  other.bottom <= one.top
