/** All that the colours of `style.ts` put into a text. Apart from them: browsers know nothing of terminals, but need this. */
// eslint-disable-next-line no-control-regex
export const ourColours = /\u001b\[(?:[12]|22|3[1236]|39)m/g
