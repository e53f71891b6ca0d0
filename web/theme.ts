import { signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const kept = document.documentElement.dataset['theme']

/** What the reader chose; public/theme.js sets it before anything is drawn. */
export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system')

export function setTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem('theme', chosen)
    document.documentElement.dataset['theme'] = chosen
  }
}
