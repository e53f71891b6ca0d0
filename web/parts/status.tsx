/** How a job is or ended: always the word, and its colour. */
export const Status = ({ status }: { readonly status: string }) => (
  <span class={`status ${status}`}>{status}</span>
)
