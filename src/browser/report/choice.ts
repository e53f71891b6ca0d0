import { element } from '../dom.ts'

/** A group of choices of which one is taken. */
export const choice = <Value extends string>(
  legend: string,
  name: string,
  options: readonly (readonly [value: Value, text: string])[],
  chosen: Value,
  take: (value: Value) => void,
): HTMLElement =>
  element(
    'fieldset',
    { class: 'choice' },
    element('legend', {}, legend),
    ...options.map(([value, text]) => {
      const checked = value === chosen
      const onchange = (): void => take(value)
      return element(
        'label',
        {},
        element('input', { type: 'radio', name, value, checked, onchange }),
        element('span', {}, text),
      )
    }),
  )
