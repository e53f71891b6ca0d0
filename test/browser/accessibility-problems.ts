/** Run in the page: everything that would keep somebody from reading it. */
const problemsWith = (landmarks: readonly string[]): string => String.raw`(() => {
  const problems = []
  const need = (good, what) => { if (!good) problems.push(what) }
  const all = (selector) => [...document.querySelectorAll(selector)]
  need(document.documentElement.lang === 'en', 'no language')
  need(document.title.length > 5, 'no title')
  need(all('h1').length === 1, 'not one h1')
  for (const mark of ${JSON.stringify(landmarks)}) need(all('body > ' + mark).length === 1, 'not one ' + mark)
  const levels = all('h1, h2, h3').map((heading) => Number(heading.tagName[1]))
  levels.forEach((level, index) => need(index === 0 || level - levels[index - 1] <= 1, 'a heading skips a level'))
  for (const input of all('input, select')) need(input.labels.length > 0, 'no label: ' + input.id + input.name)
  for (const button of all('button')) need(button.hidden || button.textContent.trim() !== '', 'a button without a name')
  for (const svg of all('svg')) need(svg.getAttribute('role') === 'img' && svg.getAttribute('aria-label'), 'a picture without a name')
  for (const cell of all('thead th')) need(cell.scope === 'col', 'a heading without scope')
  for (const table of all('table')) need(table.caption, 'a table without a caption')
  for (const area of all('.scroll')) need(area.tabIndex === 0 && area.getAttribute('aria-label'), 'no key scrolls ' + area.className)
  const ids = all('[id]').map((one) => one.id)
  need(new Set(ids).size === ids.length, 'an id twice')
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number)
  const light = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      if ((channels(colour)[3] ?? 1) > 0) return colour
    }
    return 'rgb(255, 255, 255)'
  }
  const seen = new Set()
  for (const node of all('body *')) {
    const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== '')
    if (!hasText || node.closest('script, style, noscript, [hidden]')) continue
    const style = getComputedStyle(node)
    const colour = node instanceof SVGElement ? style.fill : style.color
    const ground = behind(node)
    const key = colour + ' on ' + ground
    if (seen.has(key)) continue
    seen.add(key)
    const [one, other] = [light(colour), light(ground)]
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    need(contrast >= 4.5, 'contrast ' + contrast.toFixed(2) + ': ' + key + ', ' + node.textContent.slice(0, 30))
  }
  return problems
})()`

export const accessibilityProblems = problemsWith(['header', 'nav', 'main', 'footer'])
/** Of a page with one part, to which nothing needs to lead. */
export const singlePartProblems = problemsWith(['header', 'main', 'footer'])
