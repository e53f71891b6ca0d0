const system = matchMedia('(prefers-color-scheme: dark)')

/** Whether the page is dark: as somebody chose, or else as the system is. */
export const isDark = (): boolean =>
  (document.documentElement.dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark'

/** Calls when the page becomes light or dark; answers how to stop that. */
export function onTheme(listener: () => void): () => void {
  const chosen = new MutationObserver(listener)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  system.addEventListener('change', listener)
  return () => {
    chosen.disconnect()
    system.removeEventListener('change', listener)
  }
}
