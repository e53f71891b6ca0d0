import { byId } from './dom.ts'
import { isDark, onTheme } from './theme.ts'

/** Has the button of the page change between light and dark. */
export function followTheme(): void {
  const button = byId('theme')
  // It is called what it does: a pressed button that always says "Dark" looks the same either way.
  const tell = (): void => void (button.textContent = isDark() ? 'Light' : 'Dark')
  button.addEventListener('click', () => {
    document.documentElement.dataset['theme'] = isDark() ? 'light' : 'dark'
    tell()
  })
  onTheme(tell)
  tell()
}
