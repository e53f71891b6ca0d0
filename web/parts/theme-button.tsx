import { setTheme, theme, themes, type Theme } from '../theme.ts'
import { DarkIcon, LightIcon, SystemIcon } from './icons.tsx'

const icons: Readonly<Record<Theme, () => preact.JSX.Element>> = {
  system: SystemIcon,
  light: LightIcon,
  dark: DarkIcon,
}

/** Goes round: as the system has it, light, dark. */
export function ThemeButton() {
  const Icon = icons[theme.value]
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system'
  const words = `Theme: ${theme.value}. Change to ${next}`
  return (
    <button type="button" onClick={() => setTheme(next)} aria-label={words} title={words}>
      <Icon />
    </button>
  )
}
