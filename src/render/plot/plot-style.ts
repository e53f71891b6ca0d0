import { declared, type ColourName } from '../palette.ts'

const colours: readonly ColourName[] = ['ink', 'quiet', 'sheet', 'axis', 'grid', 'focus']

/** All of it in the window: the plot takes what title and legend leave. */
export const plotStyle = `
:root { color-scheme: light dark; ${declared(colours, 'light')} }
@media (prefers-color-scheme: dark) { :root { ${declared(colours, 'dark')} } }
* { box-sizing: border-box; }
body {
  margin: 0; height: 100vh; min-height: 30rem; display: flex; flex-direction: column;
  background: var(--sheet); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
header { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: start; padding: 1rem 1.6rem 0.3rem; }
header div { flex: 1 1 18rem; min-width: 0; }
h1 { margin: 0; font-size: 1.2rem; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere; }
#note { margin: 0.15rem 0 0; color: var(--quiet); font-size: 0.88rem; overflow-wrap: anywhere; }
#align, #more select {
  flex: none; font: inherit; font-size: 0.88rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--axis);
  border-radius: 6px; padding: 0.3rem 0.8rem; cursor: pointer;
}
#more { flex: none; font-size: 0.88rem; color: var(--quiet); }
#more select { max-width: 13rem; margin-left: 0.3rem; }
#align[aria-pressed=true] { background: var(--ink); color: var(--sheet); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
#legend { flex: none; list-style: none; margin: 0; padding: 0.2rem 1.6rem; display: grid; }
#legend button {
  display: flex; gap: 0.45rem; align-items: center; max-width: 100%; padding: 1px 0; border: 0; background: none; color: var(--ink);
  font: inherit; font-size: 13px; line-height: 17px; text-align: left; cursor: pointer;
}
#legend svg { flex: none; }
#legend .name { overflow-wrap: anywhere; unicode-bidi: isolate; }
#legend button[aria-pressed=false] { color: var(--quiet); text-decoration: line-through; }
#legend button[aria-pressed=false] svg { opacity: 0.35; }
#plot { flex: 1; min-height: 14rem; overflow: hidden; position: relative; }
/* In few columns, the names of many lines would take the room of the plot. */
@media screen and (max-width: 60rem) { #legend { max-height: 30vh; overflow-y: auto; } }
/* On a telephone the page scrolls: strips beside each other need room for their titles. */
@media (max-width: 40rem) { #plot { min-height: calc(8rem + var(--strips, 1) * 9rem); } }
#plot > p { margin: 2rem 1.6rem; }
[hidden] { display: none !important; }
@media print { body { height: auto; } #plot { height: 18cm; } #align, #more { display: none; } }
`
