/** Plotly reads some HTML in every text, links among it: what is to be text must have none. */
export const withoutMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
