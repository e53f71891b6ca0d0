type Listener = (event: Event) => void
type Attribute = string | number | boolean | null | undefined
export type Child = Node | string | null

/** The data that stands in the page; whoever made the page made it of that type. */
export const embedded = (id: string): unknown => JSON.parse(byId(id).textContent)

/** What the page is made with, and so is there. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`no #${id} in the page`)
  return found
}

/** Text only ever becomes text: names of jobs are whatever somebody typed. A function is what happens, as in `onclick`. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, Attribute | Listener>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    // A page whose policy allows no style in its markup allows it from a script only so.
    else if (key === 'style') made.style.cssText = String(value)
    else if (value !== false && value !== null && value !== undefined)
      made.setAttribute(key, String(value))
  }
  made.append(...children.filter((child) => child !== null))
  return made
}

/** A fact of a list of them. */
export const factLine = ([name, fact]: readonly [string, string]): HTMLElement =>
  element('div', {}, element('dt', {}, name), element('dd', {}, fact))

/** The same for pictures. */
export function drawn<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.append(...children)
  return made
}
