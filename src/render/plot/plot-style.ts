export const plotStyle = `
:root { color-scheme: light dark; --ink: #1d2129; --quiet: #5b6270; --paper: #ffffff; --edge: #d5d9e0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ec; --quiet: #a3aab6; --paper: #15181d; --edge: #353b45; }
}
* { box-sizing: border-box; }
body {
  margin: 0; height: 100vh; min-height: 34rem; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
header { display: flex; gap: 1.5rem; align-items: start; justify-content: space-between; padding: 1.1rem 1.6rem 0.4rem; }
h1 { margin: 0; font-size: 1.2rem; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere; }
#note { margin: 0.15rem 0 0; color: var(--quiet); font-size: 0.88rem; }
button {
  flex: none; font: inherit; font-size: 0.88rem; color: var(--ink); background: none; border: 1px solid var(--edge);
  border-radius: 6px; padding: 0.3rem 0.8rem; cursor: pointer;
}
button[aria-pressed=true] { background: var(--ink); color: var(--paper); }
button:focus-visible { outline: 2px solid #3b74d6; outline-offset: 2px; }
#plot { flex: 1; min-height: 0; padding: 0 0.6rem 0.4rem; }
@media print { body { height: auto; } #plot { height: 18cm; } button { display: none; } }
`
