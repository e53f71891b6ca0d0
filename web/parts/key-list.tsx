import { keyListId, keys } from '../keys.ts'

/** The keys there are; `?` opens it. */
export const KeyList = () => (
  <dialog id={keyListId} aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl class="keys">
      {keys.map(({ keys: pressed, says }) => (
        <>
          <dt>
            {pressed.split(' ').map((key) => (
              <>
                <kbd>{key}</kbd>{' '}
              </>
            ))}
          </dt>
          <dd>{says}</dd>
        </>
      ))}
      <dt>
        <kbd>Enter</kbd>
      </dt>
      <dd>open what has the focus</dd>
    </dl>
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </dialog>
)
