type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** Only what was given: questions know no key without a value. */
export const given = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>
