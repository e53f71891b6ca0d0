import { styleText } from 'node:util'

type Paint = (text: string) => string

/** How emphasis looks. Whoever prints decides by its terminal; everything here only names the role. */
export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

const plain: Paint = (text) => text

export const plainStyle: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
}

/** Without `validateStream: false`, node would look at the terminal itself and drop the colours. */
const paint =
  (format: keyof Style): Paint =>
  (text) =>
    styleText(format, text, { validateStream: false })

export const colourStyle: Style = {
  bold: paint('bold'),
  dim: paint('dim'),
  red: paint('red'),
  green: paint('green'),
  yellow: paint('yellow'),
  cyan: paint('cyan'),
}
