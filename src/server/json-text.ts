/** JSON that another thread has written. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
