/** Ids are 32 hexadecimal digits to us; PostgreSQL writes them with dashes. */
export const plainId = (uuid: string): string => uuid.replaceAll('-', '')

/** With dashes, as pg-boss compares them. */
export const dashedId = (id: string): string =>
  plainId(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
