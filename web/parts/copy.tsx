import { useSignal } from '@preact/signals'

const toldMilliseconds = 1500

/** A command, ready to be pasted. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <Copy text={text} />
    </div>
  )
}

/** Copies a text, and says that it did. */
export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const told = useSignal<string | null>(null)
  const copy = async (): Promise<void> => {
    told.value = (await copied(text)) ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      told.value = null
    }, toldMilliseconds)
  }
  return (
    <button type="button" class="copy actions" onClick={() => void copy()}>
      <span role="status">{told.value ?? label}</span>
    </button>
  )
}

/** Only pages of this machine or over TLS may write to the clipboard directly. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
